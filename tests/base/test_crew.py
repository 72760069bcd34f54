"""Test crews of workers: results come in the order of the requests, and few requests wait."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import worker as module
from generator.base.worker import (
    Crew,
    Worker,
    WorkError,
    WorkLimitError,
    cores,
    join_answers,
    split_answers,
)


def doubled(number):
    time.sleep(0.02 * (number % 3))
    return str(2 * number).encode()


def whoami(_):
    time.sleep(0.1)
    return str(os.getpid()).encode()


def failing(number):
    if number == 3:
        raise ValueError("three is too many")
    return b"fine"


@pytest.mark.parametrize("jobs", [1, 3])
def test_crew_returns_results_in_order_of_requests(jobs):
    with Crew(jobs) as crew:
        for _ in range(2):
            assert list(crew.map(doubled, ((n,) for n in range(15)))) == [
                str(2 * n).encode() for n in range(15)
            ]


def test_two_jobs_run_in_two_processes_that_end_with_crew():
    with Crew(2) as crew:
        process_ids = {int(entry) for entry in crew.map(whoami, ((n,) for n in range(8)))}
        assert len(process_ids) == 2
        assert os.getpid() not in process_ids
    for process in process_ids:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    with Crew(1) as crew:
        assert {int(item) for item in crew.map(whoami, [(1,)])} == {os.getpid()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_error_is_raised_at_result_of_failing_call(jobs):
    with Crew(jobs) as crew:
        answers = crew.map(failing, ((n,) for n in range(9)))
        assert [next(answers) for _ in range(3)] == [b"fine"] * 3
        with pytest.raises((ValueError, WorkError), match="three is too many"):
            next(answers)


def test_process_that_starts_too_slowly_gives_no_wrong_answer(tmp_path, monkeypatch):
    # Python imports `sitecustomize` when it starts.
    (tmp_path / "sitecustomize.py").write_text("import time; time.sleep(2)", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(module, "START_SECONDS", 0.1)
    memory = 900_000_000  # an unusual limit, so that no worker of another test is reused
    with (
        Worker(patience=1, memory=memory) as worker,
        pytest.raises(WorkLimitError, match="to start"),
    ):
        worker.run(doubled, 1)
    with Worker(patience=600, memory=memory) as worker:
        assert [worker.run(doubled, number) for number in (1, 2)] == [b"2", b"4"]


def test_crew_starts_few_calls_before_results_are_taken():
    started = []

    def works():
        for n in range(1000):
            started.append(n)
            yield (0,)

    with Crew(2) as crew:
        answers = crew.map(doubled, works())
        next(answers)
        assert len(started) <= 2 * module.TASKS_AHEAD + 2
        answers.close()


@given(st.lists(st.binary(max_size=50)))
def test_split_answers_restores_joined_answers(parts):
    assert list(split_answers(join_answers(parts))) == parts


def test_core_count_lies_between_one_and_processors():
    assert 1 <= cores() <= (os.cpu_count() or 1)
