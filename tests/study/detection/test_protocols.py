from wdrop.report.detection import rows
from wdrop.study.detection import run


def test_the_report_tells_of_every_protocol_that_is_run_and_of_no_other() -> None:
    assert set(rows.PROTOCOLS) == set(run.PROTOCOLS)
    assert rows.PUBLISHED_PROTOCOL in run.PROTOCOLS
