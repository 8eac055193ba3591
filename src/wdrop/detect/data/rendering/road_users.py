"""How the road users of a rendered scene look: x and feet in pixels, a metre in pixels, colours by chance."""

from collections.abc import Callable

from numpy.random import Generator as Rng

from wdrop.detect.data.rendering.canvas import Canvas, Colour


def _car(canvas: Canvas, x: float, feet: float, metre: float, rng: Rng) -> None:
    side = rng.random() < 0.4
    half, tall = (rng.uniform(1.9, 2.3) if side else rng.uniform(0.85, 1.0)) * metre, rng.uniform(1.35, 1.8) * metre
    paint, wheel = random_colour(rng, 20, 240), 0.32 * metre
    canvas.rectangle(x - half, feet - 0.62 * tall, x + half, feet - 0.5 * wheel, paint)
    roof = [(x - 0.85 * half, feet - 0.6 * tall), (x - 0.6 * half, feet - tall), (x + 0.6 * half, feet - tall),
            (x + 0.85 * half, feet - 0.6 * tall)]  # fmt: skip
    canvas.polygon(roof, (50, 60, 75))
    for centre in (x - 0.65 * half, x + 0.65 * half):
        canvas.ellipse(centre - wheel, feet - 2 * wheel, centre + wheel, feet, (20, 20, 20))
    if not side:
        for centre in (x - 0.75 * half, x + 0.75 * half):
            canvas.ellipse(
                centre - 0.12 * half, feet - 0.5 * tall, centre + 0.12 * half, feet - 0.38 * tall, (240, 40, 30)
            )


def _truck(canvas: Canvas, x: float, feet: float, metre: float, rng: Rng) -> None:
    half, tall, wheel = 1.25 * metre, rng.uniform(2.8, 3.6) * metre, 0.45 * metre
    canvas.rectangle(x - half, feet - tall, x + half, feet - 0.7 * wheel, random_colour(rng, 60, 240))
    canvas.rectangle(x - 0.9 * half, feet - 0.95 * tall, x + 0.9 * half, feet - 0.3 * tall, random_colour(rng, 60, 240))
    for centre in (x - 0.7 * half, x + 0.7 * half):
        canvas.ellipse(centre - 0.6 * wheel, feet - 1.6 * wheel, centre + 0.6 * wheel, feet, (20, 20, 20))


def _pedestrian(canvas: Canvas, x: float, feet: float, metre: float, rng: Rng) -> None:
    tall, stride = rng.uniform(1.5, 1.9) * metre, rng.uniform(0.05, 0.3) * metre
    trousers = random_colour(rng, 20, 140)
    for foot in (x - stride, x + stride):
        canvas.polygon([(x - 0.1 * metre, feet - 0.5 * tall), (x + 0.1 * metre, feet - 0.5 * tall),
                        (foot + 0.1 * metre, feet), (foot - 0.1 * metre, feet)], trousers)  # fmt: skip
    canvas.rectangle(
        x - 0.22 * metre, feet - 0.85 * tall, x + 0.22 * metre, feet - 0.45 * tall, random_colour(rng, 40, 240)
    )
    canvas.ellipse(x - 0.12 * metre, feet - tall, x + 0.12 * metre, feet - 0.84 * tall, (205, 160, 130))


def _cyclist(canvas: Canvas, x: float, feet: float, metre: float, rng: Rng) -> None:
    wheel, reach = 0.34 * metre, rng.uniform(0.25, 0.55) * metre
    frame = random_colour(rng, 30, 200)
    for centre in (x - reach, x + reach):
        canvas.ellipse(centre - wheel, feet - 2 * wheel, centre + wheel, feet, (30, 30, 30))
        canvas.ellipse(
            centre - 0.75 * wheel, feet - 1.75 * wheel, centre + 0.75 * wheel, feet - 0.25 * wheel, (140, 140, 140)
        )
    canvas.polygon([(x - reach, feet - wheel), (x + reach, feet - wheel), (x, feet - 2.4 * wheel)], frame)
    canvas.rectangle(
        x - 0.2 * metre, feet - 1.5 * metre, x + 0.2 * metre, feet - 0.8 * metre, random_colour(rng, 40, 240)
    )
    canvas.ellipse(x - 0.12 * metre, feet - 1.75 * metre, x + 0.12 * metre, feet - 1.48 * metre, (205, 160, 130))


def random_colour(rng: Rng, low: int, high: int) -> Colour:
    """Each channel from low to below high."""
    red, green, blue = rng.integers(low, high, size=3).tolist()
    return red, green, blue


Draw = Callable[[Canvas, float, float, float, Rng], None]
KINDS: tuple[tuple[str, Draw], ...] = (
    ("vehicle", _car), ("vehicle", _truck), ("pedestrian", _pedestrian), ("cyclist", _cyclist),
)  # fmt: skip
SHARES = (0.5, 0.1, 0.25, 0.15)
