"""Tables, figures and pages out of records and predictions; trains nothing."""
