"""Test work shared out among workers: results come in the order of the requests, and few wait."""

import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base import worker as module
from generator.base.worker import Crew, WorkError, cores, join_answers, split_answers


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


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_answers_come_in_the_order_of_the_questions(jobs):
    with Crew(jobs) as crew:
        for _ in range(2):
            assert list(crew.map(doubled, ((n,) for n in range(15)))) == [
                str(2 * n).encode() for n in range(15)
            ]


def test_two_jobs_are_two_other_processes_that_go_with_the_crew():
    with Crew(2) as crew:
        who = {int(entry) for entry in crew.map(whoami, ((n,) for n in range(8)))}
        assert len(who) == 2
        assert os.getpid() not in who
    for process in who:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
    with Crew(1) as crew:
        assert {int(item) for item in crew.map(whoami, [(1,)])} == {os.getpid()}


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_where_it_happened(jobs):
    with Crew(jobs) as crew:
        answers = crew.map(failing, ((n,) for n in range(9)))
        assert [next(answers) for _ in range(3)] == [b"fine"] * 3
        with pytest.raises((ValueError, WorkError), match="three is too many"):
            next(answers)


def test_little_is_asked_ahead():
    asked = []

    def works():
        for n in range(1000):
            asked.append(n)
            yield (0,)

    with Crew(2) as crew:
        answers = crew.map(doubled, works())
        next(answers)
        assert len(asked) <= 2 * module.TASKS_AHEAD + 2
        answers.close()


@given(st.lists(st.binary(max_size=50)))
def test_answers_in_one_come_apart_again(parts):
    assert list(split_answers(join_answers(parts))) == parts


def test_there_is_a_core():
    assert 1 <= cores() <= (os.cpu_count() or 1)
