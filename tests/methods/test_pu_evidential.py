import pytest
import torch

from wdrop._random import generator_for
from wdrop.data import noisy_line
from wdrop.losses.evidential import evidential_nll, evidential_regulariser
from wdrop.methods import PUEvidential
from wdrop.methods.pu_evidential import EvidentialPredictor
from wdrop.nets.heads import evidential_head
from wdrop.nets.masks import MaskStreams
from wdrop.nets.stacked import MLP, Stack
from wdrop.nets.training import Training


@pytest.mark.parametrize(
    ("settings", "weight"), [({}, 1e-2), ({"as_published": True}, 1e-3), ({"regularisation": 0.5}, 0.5)]
)
def test_the_regulariser_has_the_papers_weight_or_that_of_its_code(settings: dict[str, float], weight: float) -> None:
    generators = [generator_for("stack")]
    stack = Stack.initial(MLP(width=5, dropout=0), 2, 4, generators=generators, dtype=torch.float64)
    x = torch.randn(1, 7, 2, generator=generator_for("x"), dtype=torch.float64)
    y = torch.randn(1, 7, 1, generator=generator_for("y"), dtype=torch.float64)
    streams = MaskStreams([generator_for("m")])
    prior = evidential_head(stack.network(0)(x[0]))
    expected = evidential_nll(prior, y[0]) + weight * evidential_regulariser(prior, y[0])
    loss = PUEvidential(**settings)._loss(stack, x, y, streams)  # type: ignore[arg-type]
    torch.testing.assert_close(loss[0], expected)


def test_it_finds_the_noise_of_a_line_and_tells_it_from_doubt() -> None:
    train = noisy_line(generator=generator_for("line"), n=2000)
    method = PUEvidential(net=MLP(width=16, dropout=0), training=Training(epochs=40))
    predictor = method.fit(train, generator=generator_for("fit"))
    prediction = predictor.predict(train.x)
    assert isinstance(predictor, EvidentialPredictor)
    assert prediction.aleatoric is not None
    assert float(prediction.std.mean()) == pytest.approx(1, abs=0.15)
    torch.testing.assert_close(prediction.aleatoric.square(), predictor.prior(train.x).aleatoric_variance)
