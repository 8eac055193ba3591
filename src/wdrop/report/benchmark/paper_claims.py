"""What the paper says in words about its benchmark, sentence by sentence, each with a way to test it."""

from wdrop.report.benchmark.behaviour import (
    cheaper_than_ensembles,
    correlated_yet_different,
    coverage_told_apart,
    dearer_than_mc_but_less_than_draws,
    dropout_rates_learned,
    ensembling_helps,
    gap_is_smaller,
    large_residuals_are_large_errors,
    means_far_from_medians,
    medians_alike,
    mild_improvement,
    more_varied,
    naval_is_covered,
    no_tail_is_ideal,
    overestimates_on_small_sets,
    parametric_trains_worse,
    small_ws_where_overestimated,
    smallest_tails,
    std_grows,
    tails_by_split,
    toy_means_alike,
    toy_noise_needs_noise,
    unstable,
    wide_range,
)
from wdrop.report.benchmark.evidence import Evidence
from wdrop.report.benchmark.findings import (
    alike,
    beats,
    far_above_medians,
    follows,
    leads,
    low_quartile_ends,
    near_the_best,
    rises,
)
from wdrop.report.benchmark.scores import SHIFTS
from wdrop.report.benchmark.settings import best_setting, matters_little, no_trend, trend
from wdrop.report.claims import Claim

_W, _MC, _DE = "w_dropout", "mc_dropout", "deep_ensemble"
_INTER, _EXTRA = ("label-inter", "pca-inter"), ("label-extra", "pca-extra")
_FLOOR = "our parametric variances have a floor, which spares them the largest losses"
_CONSTANT = "our MC dropout adds a ninth of the published constant to its variance"

_THEN_TWO = "W-dropout first, these two second and third"

_TOY = (
    Claim(
        "Mean estimates of all methods look alike on both toy sets.", "4.2", toy_means_alike,
        "largest RMSE at most 1.15 times the smallest, on each set, of the methods that were run", resampled=False,
    ),
    Claim(
        "W-dropout is the only non-parametric method that sees noise which varies with x.", "4.2",
        toy_noise_needs_noise, "toy-noise: its ECE below half of that of each other one that was run",
        resampled=False,
    ),
)  # fmt: skip

_MEANS = (
    Claim(
        "In-data, averaged RMSE is almost identical for all methods.", "4.3, Regression quality",
        alike("rmse", ["test"], 1.15), "largest mean at most 1.15 times the smallest",
    ),
    Claim(
        "W-dropout is on a par: no loss of regression quality.", "4.3, Regression quality",
        near_the_best("rmse", "test", _W, 1.1), "within 10 % of the best mean RMSE",
    ),
    Claim(
        "Parametric methods have larger RMSE on training data.", "4.3, Regression quality", parametric_trains_worse,
        "mean of the four above the mean of the other five",
    ),
    Claim(
        "Likelihood training comes with a smaller generalisation gap.", "4.3, Regression quality", gap_is_smaller,
        "test minus training RMSE: mean of the four below the mean of the other five",
    ),
    Claim(
        "Under interpolation, RMSE is comparable between all methods.", "4.3, Regression quality",
        alike("rmse", _INTER, 1.15), "largest mean at most 1.15 times the smallest",
    ),
    Claim(
        "Interpolation is (slightly) harder than i.i.d. test data, for all methods.", "4.3, Regression quality",
        rises("rmse", ["test"], _INTER), "mean RMSE grows for every method",
    ),
    Claim(
        "Extrapolation is harder still, for all methods.", "4.3, Regression quality", rises("rmse", _INTER, _EXTRA),
        "mean RMSE grows for every method",
    ),
    Claim(
        "Under shift, W-dropout's RMSE is competitive.", "4.3, Regression quality",
        near_the_best("rmse", "ood", _W, 1.1), "within 10 % of the best mean RMSE",
    ),
)  # fmt: skip

_ECE = (
    Claim("On training data PU has the best ECE.", "4.3, ECE", leads("ece", "train", "pu")),
    Claim(
        "PU-EV follows.", "4.3, ECE", follows("ece", "train", ["pu"], ["pu_evidential"]), "PU first, PU-EV second"
    ),
    Claim(
        "SWAG and W-dropout have a broad range of ECE on training data.", "4.3, ECE", wide_range,
        "both among the four widest of nine, 25 to 75 % over data sets",
    ),
    Claim(
        "There W-dropout overestimates, mostly on smaller data sets.", "4.3, ECE", overestimates_on_small_sets,
        "90 % intervals hold more than 90 % on small sets, and training ECE is larger there than on large ones",
    ),
    Claim("In-data, W-dropout has the lowest mean ECE.", "4.3, ECE; table 1", leads("ece", "test", _W)),
    Claim(
        "It is followed by PU-DE and PU-MC.", "4.3, ECE; table 1",
        follows("ece", "test", [_W], ["pu_ensemble", "pu_mc"]), _THEN_TWO,
    ),
    Claim(
        "In-data, W-dropout's ECE is the most consistent one.", "4.3, ECE", low_quartile_ends("ece", ["test"], _W, 1),
        "smallest 75 % quantile over data sets",
    ),
    Claim("Under shift, W-dropout has the smallest mean ECE.", "4.3, ECE; table 2", leads("ece", "ood", _W)),
    Claim(
        "It is followed by PU-DE and PU-MC.", "4.3, ECE; table 2",
        follows("ece", "ood", [_W], ["pu_ensemble", "pu_mc"]), _THEN_TWO,
    ),
    Claim(
        "Its 75 % quantiles are among the best under every shift.", "4.3, ECE",
        low_quartile_ends("ece", SHIFTS, _W, 3), "among the three smallest in each of the four",
    ),
)  # fmt: skip

_NLL = (
    Claim("In-data, W-dropout has the smallest mean NLL.", "4.3, NLL; table 1", leads("nll", "test", _W)),
    Claim(
        "It is followed by MC and PU-MC.", "4.3, NLL; table 1", follows("nll", "test", [_W], [_MC, "pu_mc"]), _THEN_TWO
    ),
    Claim(
        "PU is unstable: its mean NLL is beyond the plot.", "4.3, NLL", unstable("nll"),
        "largest mean NLL of all, and more than 5 above its median", guess=_FLOOR,
    ),
    Claim(
        "On PCA interpolation MC, PU-MC and W-dropout have the best NLL.", "4.3, NLL",
        leads("nll", "pca-inter", _MC, "pu_mc", _W), guess=_CONSTANT,
    ),
    Claim(
        "So they have on PCA extrapolation.", "4.3, NLL", leads("nll", "pca-extra", _MC, "pu_mc", _W), guess=_CONSTANT
    ),
    Claim(
        "On label interpolation only MC and W-dropout are in first place.", "4.3, NLL",
        leads("nll", "label-inter", _MC, _W), guess=_CONSTANT,
    ),
    Claim(
        "So they are on label extrapolation.", "4.3, NLL", leads("nll", "label-extra", _MC, _W), guess=_CONSTANT
    ),
    Claim(
        "On label splits PU-EV follows.", "4.3, NLL", follows("nll", "label-extra", [_MC, _W], ["pu_evidential"]),
        "third on label extrapolation, behind these two",
        guess="the paper's NLL of PU-EV is a Student-t likelihood, which wild points hurt less than a Gaussian one",
    ),
    Claim("Under shift, W-dropout has the smallest NLL.", "4.3, NLL; table 2", leads("nll", "ood", _W)),
    Claim(
        "MC follows narrowly.", "4.3, NLL; table 2", follows("nll", "ood", [_W], [_MC], within=0.5),
        "W-dropout first, MC second and at most 0.5 above", guess=_CONSTANT,
    ),
    Claim(
        "Medians of PU-DE, MC, PU-MC and W-dropout are comparable.", "4.3, NLL", medians_alike,
        "in-data and under shift, less than a tenth of all choices of four methods have medians that span less",
    ),
    Claim(
        "Most methods perform poorly once in a while.", "4.3, NLL", means_far_from_medians,
        "under shift, the mean NLL of at least five of nine is more than 1 above the median",
    ),
)  # fmt: skip

_WS = (
    Claim("In-data, W-dropout has the smallest mean WS.", "4.3, WS; table 1", leads("ws", "test", _W)),
    Claim(
        "It is followed by PU-MC and PU-DE.", "4.3, WS; table 1", follows("ws", "test", [_W], ["pu_mc", "pu_ensemble"]),
        _THEN_TWO,
    ),
    Claim("On training data PU has the best WS.", "4.3, WS", leads("ws", "train", "pu")),
    Claim(
        "On test data PU's WS is beyond the plot.", "4.3, WS", unstable("ws"),
        "largest mean WS of all, and more than 5 above its median", guess=_FLOOR,
    ),
    Claim("Under shift, W-dropout and MC lead.", "4.3, WS; table 2", leads("ws", "ood", _W, _MC), guess=_CONSTANT),
    Claim(
        "CON-MC and DE follow.", "4.3, WS; table 2", follows("ws", "ood", [_W, _MC], ["concrete_dropout", _DE]),
        "W-dropout and MC first, then these two", guess=_FLOOR,
    ),
    Claim(
        "On label interpolation MC and W-dropout outperform all others.", "4.3, WS",
        leads("ws", "label-inter", _MC, _W), guess=_CONSTANT,
    ),
    Claim("So they do on label extrapolation.", "4.3, WS", leads("ws", "label-extra", _MC, _W), guess=_CONSTANT),
    Claim(
        "Under shift, mean WS of PU-DE and PU-MC is far above the median.", "4.3, WS",
        far_above_medians("ws", SHIFTS, ["pu_ensemble", "pu_mc"], 2), "more than twice, under one of the shifts",
        guess=_FLOOR,
    ),
    Claim(
        "W-dropout is better than PU-DE and PU-MC in-data.", "4.3; abstract; conclusion",
        beats(["nll", "ece", "ws"], ["test"], _W, ["pu_ensemble", "pu_mc"]), "smaller means of NLL, ECE and WS",
    ),
    Claim(
        "W-dropout is better than PU-DE and PU-MC under shift.", "4.3; abstract; conclusion",
        beats(["nll", "ece", "ws"], ["ood"], _W, ["pu_ensemble", "pu_mc"]), "smaller means of NLL, ECE and WS",
    ),
    Claim(
        "Ensembling largely suppresses PU's instability.", "4.3, Tails", ensembling_helps,
        "mean NLL and WS of PU-DE below PU's, in-data", guess=_FLOOR,
    ),
)  # fmt: skip

_SHIFT_AND_TAILS = (
    Claim(
        "W-dropout's std grows under shift, as MC dropout's does.", "4.3, Epistemic uncertainty", std_grows,
        "mean std on extrapolation folds above that on their training rows: geometric mean over data sets, both",
    ),
    Claim(
        "W-dropout's std varies more than MC dropout's.", "4.3, Epistemic uncertainty", more_varied,
        "90 % over 10 % quantile of std: median over data sets, on extrapolation folds", guess=_CONSTANT,
    ),
    Claim(
        "No method's tail is near the normal one.", "4.3, Tails; table 3", no_tail_is_ideal,
        "mean ETL of W-dropout, PU-DE and PU-MC above 1.3 times 2.89, on all splits",
    ),
    Claim(
        "W-dropout's mean and maximal ETL are the smallest of the three.", "4.3, Tails; table 3", smallest_tails,
        "on all splits", guess=_FLOOR,
    ),
    Claim(
        "Tails grow from i.i.d. over PCA to label splits.", "4.3, Tails; table 3", tails_by_split,
        "mean ETL of each of the three",
    ),
    Claim(
        "PU-MC improves the tails only mildly over PU-DE.", "4.3, Tails; table 3", mild_improvement,
        "mean ETL of PU-MC between PU-DE's and W-dropout's, on all splits", guess=_FLOOR,
    ),
    Claim(
        "Large normalised residuals are large errors.", "4.3, Tails", large_residuals_are_large_errors,
        "mean absolute error of the worst 1 % above the rest's, for all methods and splits",
    ),
    Claim(
        "ECE, WS and KS are correlated, yet not ideally.", "4.3, Dependencies; appendix C", correlated_yet_different,
        "rank correlations over folds between 0.5 and 0.99",
    ),
    Claim(
        "Where std is overestimated, WS is typically below 1.", "4.3, Dependencies", small_ws_where_overestimated,
        "in 95 % of the folds with mean std above the RMSE",
    ),
    Claim(
        "PU, PU-DE and W-dropout cover their residuals on abalone and superconduct; MC, MC-LL and DE underestimate.",
        "A.4", coverage_told_apart, "each of the three covers more than each of the others, 90 % intervals",
        guess="as published, MC dropout's constant makes its std larger on large sets", resampled=False,
    ),
    Claim(
        "On naval all methods give convincing std.", "A.4", naval_is_covered, "90 % intervals hold at least 80 %",
        resampled=False,
    ),
)  # fmt: skip

_SETTINGS = (
    Claim(
        "The drop rate p matters little for RMSE.", "B", matters_little("p", "rmse", 1.15),
        "i.i.d. test: largest mean at most 1.15 times the smallest",
    ),
    Claim(
        "The drop rate p matters little for ECE.", "B", matters_little("p", "ece", 1.15),
        "i.i.d. test: largest mean at most 1.15 times the smallest",
    ),
    Claim(
        "Training RMSE deteriorates with p.", "B", trend("p", "rmse", "train", rising=True), "largest p above smallest"
    ),
    Claim("ECE improves slightly with p.", "B", trend("p", "ece", "test", rising=False), "largest p below smallest"),
    Claim(
        "RMSE is stable in the sample size L.", "B", matters_little("L", "rmse", 1.15),
        "i.i.d. test: largest mean at most 1.15 times the smallest",
    ),
    Claim("Training ECE grows with L.", "B", trend("L", "ece", "train", rising=True), "largest L above smallest"),
    Claim(
        "Test ECE is broadly similar for all L.", "B", matters_little("L", "ece", 1.15),
        "largest mean at most 1.15 times the smallest",
        guess="L sets the scale of std: the loss has its optimum at 0.60 of the true std for L = 4, at 1.44 for L = 20",
    ),
    Claim(
        "Under shift, ECE has no clear trend in L.", "B", no_trend("L", "ece", SHIFTS),
        "the four shifts do not all rise or all fall with L",
        guess="L sets the scale of std, and under shift a larger std is a better one",
    ),
    Claim(
        "λ = 1e-6 is best for MC dropout.", "A.1", best_setting("lambda of MC", 1e-6),
        "best mean rank over NLL, ECE and WS on the small sets", guess=_CONSTANT,
    ),
    Claim(
        "λ = 1e-2 is best for PU-EV.", "A.1", best_setting("lambda of PU-EV", 1e-2),
        "best mean rank over NLL, ECE and WS on the small sets",
    ),
    Claim(
        "CON-MC mostly learns drop rates from 0.2 to 0.5.", "4.1, Technical setup", dropout_rates_learned,
        "more than half of them",
    ),
    Claim(
        "W-dropout's training costs significantly less than L times MC dropout's.", "5",
        dearer_than_mc_but_less_than_draws, "seconds per fold below 4 times MC dropout's at L = 5",
    ),
    Claim(
        "A single network costs less than a deep ensemble.", "5", cheaper_than_ensembles,
        "seconds per fold below those of PU-DE",
        guess="our members train as one stack, which makes five networks nearly as cheap as one",
    ),
)  # fmt: skip

CLAIMS: tuple[Claim[Evidence], ...] = (*_TOY, *_MEANS, *_ECE, *_NLL, *_WS, *_SHIFT_AND_TAILS, *_SETTINGS)
