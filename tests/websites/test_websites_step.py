from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from riskchainbench.websites.step import Event, ViewEffect, initial_state, step


def _go(site, state, *events):
    view = None
    for event in events:
        state, view = step(site, state, event)
    return state, view


def test_right_code_leads_to_the_member_page_with_the_name_escaped(small_site):
    form = {"name": "Lin <b>", "code": "1234"}
    state, view = _go(small_site, initial_state(small_site), Event("POST", "/j", form=form))
    assert (view.status, view.location) == (303, "/")
    _, view = step(small_site, state, Event("GET", "/"))
    assert view.page_id == "p4"
    assert b"Hello Lin &lt;b&gt; {{other}}" in view.body


def test_wrong_code_is_remembered_and_joins_nobody(small_site):
    state, _ = _go(
        small_site,
        initial_state(small_site),
        Event("POST", "/j", form={"name": "Lin", "code": "0000"}),
    )
    assert state.mapping["joined"] == "no"
    assert step(small_site, state, Event("GET", "/j"))[1].page_id == "p3"


def test_undeclared_control_changes_nothing_and_is_told_apart(small_site):
    start = initial_state(small_site)
    state, view = step(small_site, start, Event("GET", "/x"))
    assert state == start
    assert (view.status, view.effect, view.body) == (204, ViewEffect.NO_EFFECT, b"")


def test_download_and_asset_are_served_as_declared(small_site):
    _, file = step(small_site, initial_state(small_site), Event("GET", "/d"))
    assert (file.effect, file.download_name, file.body) == (
        ViewEffect.DOWNLOAD,
        "notes.txt",
        b"harmless\n",
    )
    _, css = step(small_site, initial_state(small_site), Event("GET", "/a/s.css"))
    assert (css.effect, css.media_type) == (ViewEffect.ASSET, "text/css")


EVENTS = st.builds(
    Event,
    st.sampled_from(["GET", "POST", "PUT"]),
    st.sampled_from(["/", "/j", "/d", "/x", "/a/s.css"]),
    st.just({}),
    st.dictionaries(st.sampled_from(["name", "code"]), st.sampled_from(["", "Lin", "1234"])),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(EVENTS, max_size=8))
def test_same_events_give_same_views_and_states(small_site, events):
    def run():
        state, views = initial_state(small_site), []
        for event in events:
            state, view = step(small_site, state, event)
            views.append(view)
        return state.sha256, views

    assert run() == run()
