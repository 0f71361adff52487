"""Several people at one screen: a curtain, and nothing of one's view on the other's screen."""

from fabletop.terminal.screens.curtain import Curtain
from fabletop.terminal.screens.table import Table
from fabletop.terminal.widgets.chooser import Chooser
from tests.terminal.stage import LARGE, press, questions, screen_text, settled, table_app


def told_only_to(app, seat, others):
    """What only this seat can read: the line of the log that tells its deal."""
    table = next(screen for screen in app.screen_stack if isinstance(screen, Table))
    teller = table.preferences.teller(table.game, table.names, seat)
    hand = table.sitting.view(seat)["own"]["hand"]
    own = {teller.say("card", card) for card in hand}
    known = {
        teller.say("card", card) for other in others for card in table.sitting.view(other)["own"]["hand"]
    }
    return own - known


async def test_nothing_is_shown_before_the_first_person_has_sat_down():
    app = table_app(people=2, seats=2)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, Curtain)
        text = screen_text(app)
        assert "Ana" in text
        assert "Ben" not in text
        assert not any(card in text for card in told_only_to(app, 0, ()))
        assert not any(card in text for card in told_only_to(app, 1, ()))
        await pilot.press("1")
        assert isinstance(app.screen, Curtain), "only Enter, space or a click opens"
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Table)
        text = screen_text(app)
        assert not any(card in text for card in told_only_to(app, 1, (0,)))


async def test_between_two_people_the_screen_is_handed_over():
    app = table_app(people=2, seats=2)
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        await press(pilot, "enter")
        table = app.screen
        while 0 in table.sitting.pending:
            await press(pilot, "enter")
        assert isinstance(app.screen, Table), "Ana sees what she has drawn before she hands over"
        assert "Hand over to ◆ Ben" in screen_text(app)
        secret = told_only_to(app, 0, (1,))
        assert any(card in screen_text(app) for card in secret)
        await press(pilot, "enter")
        assert isinstance(app.screen, Curtain)
        text = screen_text(app)
        assert not any(card in text for card in secret | told_only_to(app, 1, (0,)))
        await press(pilot, "enter")
        assert app.screen is table
        assert table.reader == 1
        text = screen_text(app)
        shown = {card for card in secret if card in text}
        assert not shown, "the screen has forgotten Ana's cards"
        assert "Bet on a creature" in questions(app)
        assert table.sitting.pending.keys() == {1}


async def test_one_person_alone_never_meets_a_curtain():
    app = table_app(people=1)
    async with app.run_test(size=LARGE) as pilot:
        await settled(pilot)
        for _ in range(4):
            assert not any(isinstance(screen, Curtain) for screen in app.screen_stack)
            await press(pilot, "enter")


async def test_people_who_decide_at_once_take_turns_at_the_screen():
    app = table_app("fairy_school", people=2, seats=3, setup="beginners")
    async with app.run_test(size=LARGE) as pilot:
        await pilot.pause()
        await press(pilot, "enter")
        table = app.screen
        assert table.sitting.state.together
        assert set(table.sitting.pending) == {0, 1}, "the bot has answered while nobody was looking"
        for _ in range(60):
            if 0 not in table.sitting.pending:
                break
            await press(pilot, "d" if "d" in table.query_one(Chooser).keys else "1")
        assert "Hand over to ◆ Ben" in screen_text(app)
        placed = [line for line in screen_text(app).splitlines() if "You draw" in line]
        assert placed
        await press(pilot, "enter")
        assert isinstance(app.screen, Curtain)
        assert not any(line.strip() and line in screen_text(app) for line in placed)
        await press(pilot, "enter")
        assert table.reader == 1
        assert not any(line in screen_text(app) for line in placed), "what Ana drew is not told to Ben"
