import typer

from wdrop.cli.detect.evaluate import evaluate
from wdrop.cli.detect.predict import predict
from wdrop.cli.detect.study import study
from wdrop.cli.detect.train import train

app = typer.Typer(help="An object detector whose boxes carry a std for every coordinate.")
app.command()(train)
app.command()(predict)
app.command()(evaluate)
app.command()(study)
