"""The owner's page of `luckypaw check` says what the program says."""

from hardware.doctor.findings import FAULTS
from scripts.generators import check_page


def test_the_table_is_as_it_would_be_made() -> None:
    assert check_page.PAGE.read_text() == check_page.page(), "run scripts/make check"


def test_more_than_twenty_faults_of_the_parts_are_told_apart() -> None:
    assert sum(not fault.note for how in FAULTS if how != "self" for fault in FAULTS[how]) > 20
