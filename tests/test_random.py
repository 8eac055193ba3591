import torch

from wdrop._random import generator_for, seed_from


def test_a_stream_depends_on_its_names_alone() -> None:
    first = torch.rand(3, generator=generator_for("fit", "yacht", 1))
    generator_for("somebody", "else").seed()
    assert torch.equal(first, torch.rand(3, generator=generator_for("fit", "yacht", 1)))
    assert not torch.equal(first, torch.rand(3, generator=generator_for("fit", "yacht", 2)))


def test_names_do_not_run_into_each_other() -> None:
    assert generator_for("a", "bc").initial_seed() != generator_for("ab", "c").initial_seed()
    assert generator_for(1).initial_seed() != generator_for("1").initial_seed()


def test_a_seed_takes_one_number_from_the_generator() -> None:
    generator = generator_for("one")
    assert seed_from(generator) != seed_from(generator)
    assert seed_from(generator_for("two")) == seed_from(generator_for("two"))
