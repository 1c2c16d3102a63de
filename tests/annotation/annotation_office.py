"""A workbench without a browser, and people who sign in to it."""

from __future__ import annotations

import re
from random import Random

from annotation_world import PASSWORD
from starlette.testclient import TestClient

from riskchainbench.annotation.web.app import WorkbenchApp
from riskchainbench.annotation.web.bench import Place, Workbench
from riskchainbench.annotation.web.frames import Frames
from riskchainbench.annotation.web.photographer import NoPhotographer

HOME = "https://localhost"


class Office:
    """A workbench without a browser, and people signed in to it."""

    def __init__(self, world, bundle, **changes):
        self.world = world(
            0,
            tasks_sha256=bundle.tasks_sha256,
            cases=tuple(bundle.investigation_tasks),
            training=0,
            **changes,
        )
        self.project = self.world.project
        frames = Frames(
            bundle.websites(),
            "localhost",
            Random(1),
            self.world.clock,
            self.project.store.add_visit,
        )
        self.bench = Workbench(self.project, frames, NoPhotographer(), Place())
        self.app = WorkbenchApp(self.bench)

    def client(self, name=None):
        client = TestClient(self.app, base_url=HOME, follow_redirects=False)
        client.headers["sec-fetch-site"] = "same-origin"
        if name is not None:
            answer = client.post("/signin", data={"name": name, "password": PASSWORD})
            assert answer.status_code == 303
        return client

    def csrf(self, client):
        return re.search(r'name="csrf" value="([0-9a-f]{64})"', client.get("/codebook").text)[1]

    def post(self, client, to, **data):
        return client.post(to, data={"csrf": self.csrf(client), **data})


def begin(office, client):
    """Take the next website and return its path."""
    path = office.post(client, "/next").headers["location"]
    assert path.startswith("/sites/")
    return path
