"""uncertainty-toolbox measures and recalibrates, it trains nothing: the time of its measures.

All groups of `get_all_metrics` but adversarial group calibration, for which wdrop has no like and which alone takes
longer than all others. A forecast of as many points as the others predict.
"""

import uncertainty_toolbox as uct

from benchmarks.peers.harness import Array, Way, forecast, main, not_fitted


def measures(model: None, x: Array) -> tuple[Array, Array]:
    mean, std, y = forecast(len(x))
    # user code
    uct.metrics.get_all_accuracy_metrics(mean, y, verbose=False)
    uct.metrics.get_all_average_calibration(mean, std, y, num_bins=100, verbose=False)
    uct.metrics.get_all_sharpness_metrics(std, verbose=False)
    uct.metrics.get_all_scoring_rule_metrics(mean, std, y, resolution=99, scaled=True, verbose=False)
    # end
    return mean, std


WAYS = {"measures": Way(not_fitted, measures)}

if __name__ == "__main__":
    main(WAYS)
