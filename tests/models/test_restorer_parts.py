"""The restorer's steps one by one, its tables, hard input and independence."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import riskchainbench.models.restorer as room
from riskchainbench.core.restoration import Intent, Message, RestorationTask, Surface
from riskchainbench.models.restorer import RulesRestorer
from riskchainbench.models.restorer.intent import intent_of
from riskchainbench.models.restorer.language import Tally
from riskchainbench.models.restorer.lexicon import lexicon
from riskchainbench.models.restorer.marks import drop_marks
from riskchainbench.models.restorer.readings import near_class, word_reading
from riskchainbench.models.restorer.rows import SIEVE, THREE, TWO, Numbers, rows
from riskchainbench.models.restorer.sentence import repair
from riskchainbench.models.restorer.tables import (
    Likeness,
    component_parts,
    confusable_letters,
    look_alikes,
)
from riskchainbench.models.restorer.tokens import strip_tokens

FOLDER = Path(room.__file__).parent

CLEAN = [
    "今晚八点在群里发新一期的资料，想看的自己来取",
    "先填好表格再提交，别忘了写上学号和班级",
    "旧站关了，新的地址在这里，打开后输入口令就行",
    "请问谁有上学期高数的真题，求分享一下",
    "明早九点准时开抢，记得提前登录账号",
    "楼主发的链接失效了，能不能再补一个",
    "图书馆三楼靠窗的位置视野最好，早点去占",
    "我们小区团购的草莓到了，在门口自取",
    "打完第三关会掉落一把钥匙，别急着卖掉",
    "路由器放在客厅中间信号会好很多",
    "这部剧前面有点慢，后面越来越精彩",
    "同城闲置自行车出售，九成新，可以小刀",
    "雨太大了，外卖可能要晚半个小时",
    "手工皂做好了，香味很淡，适合敏感肌",
    "房东直租，押一付一，拎包入住",
    "给猫换粮要慢慢来，不然容易拉肚子",
    "天气转凉了，早晚多穿件衣服",
    "麻烦把空调关小一点，有点冷",
]


def task(content: str, platform: str = "bilibili") -> RestorationTask:
    return RestorationTask(
        sample_id="s",
        platform=platform,
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=content),),
    )


def restored(content: str, platform: str = "bilibili") -> str:
    return RulesRestorer().restore(task(content, platform)).messages[0].text


@pytest.mark.parametrize("sentence", CLEAN)
def test_clean_sentences_are_left_alone(sentence: str) -> None:
    assert repair(sentence) == sentence


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("扌丁开", "打开"),
        ("月及务", "服务"),
        ("讠青看", "请看"),
        ("君羊里", "群里"),
        ("地土止", "地址"),
    ],
)
def test_decompositions_are_closed(written: str, meant: str) -> None:
    assert repair(written) == meant


@pytest.mark.parametrize("kept", ["楼下的橘猫又来了", "我舅家的柚子熟了", "这块布有点皱"])
def test_rare_characters_are_not_taken_for_common_ones(kept: str) -> None:
    assert repair(kept) == kept


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert repair("請打開鏈接") == "请打开链接"


@pytest.mark.parametrize("kept", ["日月潭", "女子学校", "白水河"])
def test_parts_that_are_words_of_their_own_stay(kept: str) -> None:
    assert repair(kept) == kept


@pytest.mark.parametrize(
    ("platform", "text", "left"),
    [
        ("qq", "好/wx 的/doge /dz 走", "好的走"),
        ("qq", "a/b 与 1/2 与 /path/to", "a/b 与 1/2 与 /path/to"),
        ("qq", "[微笑]不是码", "[微笑]不是码"),
        ("wechat", "嗯[裂开]/微笑 [666]", "嗯"),
        ("wechat", "走/停 看", "走/停 看"),
        ("bilibili", "[热词系列_干杯][tv_生气]看[图片说明][链接]", "看[图片说明][链接]"),
        ("bilibili", "[微[笑哭]笑]嵌套", "嵌套"),
        ("baidu_tieba", "#(滑稽)#(酷)话题#正常", "话题#正常"),
        ("tiktok", "看👍🙂👨‍👩‍👧1️⃣🇨🇳", "看👨‍👩‍👧1️⃣🇨🇳"),
        ("bilibili", "👍是表情", "👍是表情"),
    ],
)
def test_only_the_platforms_own_codes_are_taken_out(platform: str, text: str, left: str) -> None:
    stripped = strip_tokens(text, platform)
    assert stripped.text.replace(stripped.mark, "") == left


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("投＊资", "投资"),
        ("登·录", "登录"),
        ("验^证", "验证"),
        ("链 接", "链接"),
        ("地\u3000址", "地址"),
        ("登\u200b录账\u0336号", "登录账号"),
        ("看1\ufe0f\u20e3号", "看1\ufe0f\u20e3号"),
        ("来呀～快点", "来呀～快点"),
        ("好的～", "好的～"),
        ("访问 abc", "访问 abc"),
    ],
)
def test_marks_inside_a_phrase_go_and_others_stay(written: str, meant: str) -> None:
    assert drop_marks(written, noisy=False) == meant


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("打开◎看资料", Intent.OPEN_SITE),
        ("进◎以后填入K7Q2", Intent.ENTER_CODE),
        ("听说他昨天提过◎", Intent.UNKNOWN),
        ("我表妹转来一个◎，我还没点", Intent.UNKNOWN),
        ("在家拉伸还是◎最好懂", Intent.UNKNOWN),
        ("◎，想进的自己加", Intent.ADD_ACCOUNT),
        ("加我好友备注来意", Intent.ADD_ACCOUNT),
        ("在里面搜索编号", Intent.SEARCH_QUERY),
        ("输入口令K7Q2", Intent.ENTER_CODE),
        ("有问题联系客服", Intent.CONTACT_SERVICE),
        ("今天天气不错", Intent.UNKNOWN),
        ("要加湿器的自己点◎", Intent.OPEN_SITE),
        ("现在还有人看◎吗", Intent.UNKNOWN),
        ("招聘页是◎，你点进去瞧瞧，我同事就在那", Intent.OPEN_SITE),
    ],
)
def test_intents_follow_their_cues(text: str, intent: Intent) -> None:
    assert intent_of(text) is intent


def test_readings_follow_the_phrase() -> None:
    assert word_reading("银行") == (("yin", "2"), ("hang", "2"))
    assert near_class("zhang") == near_class("zan")
    assert near_class("nan") == near_class("lang")


def test_of_rows_that_sound_alike_one_is_usual() -> None:
    known = rows()
    assert "断线了" in known
    assert "断限了" not in known
    assert "排队" in known
    assert "排\u20000" not in known
    assert known.crossing("断", "线了") == pytest.approx(THREE)
    assert known.crossing("排", "队") == pytest.approx(TWO)
    assert known.inside("断线了") == pytest.approx(known.inside("线了") + THREE)


@pytest.mark.parametrize(
    ("found", "wanted", "least"),
    [
        ("己", "已", Likeness.USUAL),
        ("忘", "志", Likeness.HIGH),
        ("屐", "展", Likeness.HIGH),
        ("衍", "行", Likeness.RELATED),
    ],
)
def test_characters_are_graded_by_how_alike_they_look(
    found: str, wanted: str, least: Likeness
) -> None:
    assert look_alikes(found)[wanted] <= least
    assert "我" not in look_alikes(found)


def test_characters_that_look_alike_in_print_are_put_right() -> None:
    assert restored("讠青看[微笑]更新日忘都没有[doge]") == "请看更新日志都没有"


def test_a_tally_sums_what_is_counted_twice_and_knows_no_other_number() -> None:
    tally = Tally(np.array([9, 4, 9, 1_000_000_007]), np.array([2, 3, 5, 1]))
    assert [tally.get(key) for key in (4, 9, 1_000_000_007)] == [3, 7, 1]
    assert not any(tally.get(key) for key in range(10, 1_000))


def test_a_number_that_only_passes_the_sieve_is_not_in_the_list() -> None:
    numbers = Numbers(np.array([3, 8, SIEVE + 20]))
    assert all(number in numbers for number in (3, 8, SIEVE + 20))
    assert not any(number in numbers for number in (4, 20, SIEVE + 3, SIEVE + 8))


def test_the_tables_are_well_formed() -> None:
    assert len(set(component_parts().values())) >= 400
    assert all(len(parts) == 2 and len(whole) == 1 for parts, whole in component_parts().items())
    assert all(char not in look_alikes(char) for char in lexicon().chars)
    assert all(
        not char.isascii() and letters.isascii() and letters == letters.lower()
        for char, letters in confusable_letters().items()
    )
    assert len(lexicon().everyday) >= 500


@pytest.mark.parametrize("platform", ["qq", "wechat", "bilibili", "tiktok", "nowhere"])
@pytest.mark.parametrize(
    "content",
    [
        "",
        " ",
        "\n\n\n",
        "\r\n",
        "\ud800坏\udfff",
        "[[[[]]]]",
        "#(#(#()))",
        "/// /wx",
        "．．．",
        "\ue000\ue001",
    ],
)
def test_odd_messages_are_answered(platform: str, content: str) -> None:
    answer = RulesRestorer().restore(task(content, platform))
    assert answer.abstain
    assert answer.messages[0].message_id == "m1"


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert restored("看\ud800这") == "看\ufffd这"


@pytest.mark.parametrize(
    "piece",
    ["点开κa8，m3.test[微笑]\n", "a\n", "～", "扌", "test\n"],
)
@pytest.mark.timeout(150)
def test_a_megabyte_is_read_in_bounded_time(piece: str) -> None:
    content = piece * (1_000_000 // len(piece.encode()))
    answer = RulesRestorer().restore(task(content, "bilibili"))
    assert len(answer.candidates) <= 10


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="投头资 客服扌丁月及κa8.test，。～＊\n[微笑]/wx #()0\ufe0f\u20e3", max_size=80)
)
def test_restoring_is_deterministic_and_restores_once(content: str) -> None:
    first, second = RulesRestorer().restore(task(content)), RulesRestorer().restore(task(content))
    assert first == second


def test_signs_of_tampering_go_together() -> None:
    assert restored("讠青扌丁开，点右上角登陆帐号") == "请打开，点右上角登录账号"


def test_windows_line_ends_are_read_as_line_ends() -> None:
    assert restored("请看\r\n公告") == "请看\n公告"


def test_every_message_of_a_session_is_answered_in_order() -> None:
    both = RestorationTask(
        sample_id="s",
        platform="qq",
        surface=Surface.GROUP_CHAT,
        messages=(
            Message(message_id="b", content="老站aa1.b2.test关了"),
            Message(message_id="a", content="新的在κc3，d4.test"),
        ),
    )
    answer = RulesRestorer().restore(both)
    assert [message.message_id for message in answer.messages] == ["b", "a"]
    assert [candidate.value for candidate in answer.candidates] == ["kc3.d4.test", "aa1.b2.test"]
    assert [candidate.rank for candidate in answer.candidates] == [1, 2]


def imported_modules(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def test_nothing_of_the_generator_or_the_websites_is_used() -> None:
    sources = sorted(FOLDER.rglob("*.py"))
    assert len(sources) >= 10
    for path in sources:
        for name in imported_modules(path):
            if name.startswith("riskchainbench"):
                assert name.startswith(("riskchainbench.core", "riskchainbench.models.restorer"))
        text = path.read_text(encoding="utf-8")
        assert "riskchainbench.messages" not in text
        assert "riskchainbench.websites" not in text
        assert "importlib.import_module" not in text
