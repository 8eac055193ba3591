"""What a study writes out of its records: tables, figures, a page, claims."""
