"""The Japanese, Korean and Taiwanese words of the explorer, on sentences made for this test."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from itertools import chain

import pytest
from explorer_site import CODEBOOK, Page, Site, explore, one_page

from riskchainbench.core.codebook import Role, ViolationType
from riskchainbench.core.decisions import Decision
from riskchainbench.models.explorer.evidence import assess
from riskchainbench.models.explorer.lexicon import Controls, LexiconFile, load_lexicon

LANGUAGES = ("ja", "ko", "zh-TW")
LEXICON = load_lexicon()

# One sentence a component and language, in the order of LANGUAGES.
SAID = {
    "FRAUD_DECEPTIVE_PROMISE": (
        "おめでとうございます、あなたは一等賞に当選しました。",
        "축하드립니다, 고객님은 1등 경품에 당첨되셨습니다.",
        "恭喜您中獎，頭獎獎金等您領取。",
    ),
    "FRAUD_RISKY_ACTION": (
        "賞金を受け取るために先に手数料をお振込みください。",
        "상금을 받으시려면 먼저 수수료를 입금하세요.",
        "領獎前請先匯款繳交處理費。",
    ),
    "PHISHING_IMITATION_OR_ABNORMAL_FLOW": (
        "不審なアクセスがあり、アカウントが停止されました。",
        "비정상적인 로그인 때문에 고객님의 계정이 정지되었습니다.",
        "您的帳戶異常，已遭鎖定。",
    ),
    "PHISHING_CREDENTIAL_REQUEST": (
        "口座番号と暗証番号をご入力ください。",
        "아이디와 비밀번호를 입력하세요.",
        "請輸入卡號與背面三碼。",
    ),
    "IMPERSONATION_CLAIMED_IDENTITY": (
        "こちらは税務署の還付担当です。",
        "저는 검찰청 수사관입니다.",
        "這裡是國稅局退稅專員。",
    ),
    "IMPERSONATION_USE_OF_IDENTITY": (
        "残高を安全な口座へお振込みください。",
        "예금을 안전 계좌로 이체하세요.",
        "請把存款匯入監管帳戶。",
    ),
    "INVESTMENT_RETURN_CLAIM": (
        "元本保証で日利5%の配当をお届けします。",
        "원금 보장, 매일 5% 수익을 드립니다.",
        "保證獲利，每月報酬率 20%。",
    ),
    "INVESTMENT_DEPOSIT_OR_OBSTACLE": (
        "最低入金額は3万円、出金には税金の支払いが必要です。",
        "최소 입금액은 30만원이며 출금하려면 세금을 납부해야 합니다.",
        "首次儲值 10000 元，提領須先繳保證金。",
    ),
    "GAMBLING_BET_OFFER": (
        "今すぐライブカジノでベット開始。",
        "지금 라이브 카지노에서 베팅하세요.",
        "立即下注百家樂。",
    ),
    "GAMBLING_STAKE_OR_PAYOUT": (
        "最低ベット額100円、勝利金は即日出金。",
        "최소 베팅금 1000원, 당첨금은 즉시 출금.",
        "單注最低 100 元，彩金秒到帳戶。",
    ),
    "SUBSTANCE_OFFER": (
        "処方箋不要で規制薬物を販売中。",
        "처방전 없이 졸피뎀을 판매합니다.",
        "免處方箋，管制藥品現貨供應。",
    ),
    "SUBSTANCE_TRADE_PATH": (
        "1グラム5000円、目立たない梱包で発送。",
        "1그램당 10만원, 은밀한 포장으로 발송.",
        "每公克 3000 元，隱密包裝出貨。",
    ),
    "ADULT_CONTENT_SHOWN": (
        "成人向け動画を公開中。",
        "성인 동영상을 매일 공개.",
        "限制級影片每日更新。",
    ),
    "ADULT_SOLICITATION": (
        "今夜お相手する女性がホテルへ伺うデリヘルです。",
        "오늘 밤 함께할 여성이 기다립니다, 출장 만남.",
        "外送茶，妹妹到府陪你。",
    ),
    "ADULT_CONTACT_OR_PAYMENT": (
        "60分 20000円、ホテルを予約して前金をお支払いください。",
        "한 시간 20만원, 예약금을 입금하세요.",
        "一小時 3000 元，先付訂金再告知飯店。",
    ),
    "MALWARE_INSTALL_REQUEST": (
        "今すぐアプリをダウンロードしてください。",
        "지금 설치 파일을 다운로드하세요.",
        "立即下載安裝檔。",
    ),
    "MALWARE_FALSE_SOURCE": (
        "クラック版アプリ、発行元は不明です。",
        "크랙 버전 앱이며 게시자를 알 수 없습니다.",
        "破解版軟體，發行者未知。",
    ),
    "MALWARE_UNFIT_PURPOSE": (
        "懐中電灯アプリに連絡先とSMSへのアクセスを許可。",
        "손전등 앱이 연락처와 문자 권한을 요구합니다.",
        "手電筒需要讀取聯絡人與簡訊權限。",
    ),
    "MALWARE_PROTECTION_EVASION": (
        "ウイルス対策をオフにして警告は無視してください。",
        "백신을 끄고 경고를 무시하세요.",
        "請關閉防毒，忽略警告。",
    ),
    "OTHER_PROHIBITED_FACT": (
        "偽造卒業証書と銀行口座を販売しています。",
        "위조 졸업장과 대포통장을 판매합니다.",
        "出售人頭帳戶，代辦假證件。",
    ),
    "OTHER_POLICY_NAMED": (
        "大学の規則に違反しますが気にしません。",
        "학교 규정에 위반되지만 걱정 마세요.",
        "此舉違反平台規定，但不會被抓。",
    ),
}

# What honest sites say about the same trades.
DENIED = {
    "ja": (
        "当サイトは賭けや現金の払い戻しを提供していません。",
        "職員が暗証番号をお尋ねすることはありません。",
        "パスワードを教えないでください。",
        "規制薬物の販売はいたしません。",
        "元本や利益を保証するものではなく、利益の保証はしません。",
        "ベットや賭け金の受付は行っていません。",
        "警告を無視してインストールしないでください。",
        "偽造証明書の販売は固く禁止されています。",
        "担当者がお電話で口座番号を入力させることはありません。",
        "当選を装った詐欺の手口です、手数料を振り込まないでください。",
    ),
    "ko": (
        "저희는 베팅이나 현금 환전을 제공하지 않습니다.",
        "직원은 비밀번호를 입력하라고 요구하지 않습니다.",
        "인증번호를 보내지 마세요.",
        "처방 없이 마약류를 판매하지 않습니다.",
        "안전 계좌로 이체하라는 요구는 하지 않습니다.",
        "백신을 끄지 마세요.",
        "원금과 수익을 보장하지 않습니다.",
        "계정 판매는 엄격히 금지됩니다.",
        "당첨되셨다는 문자는 사기 수법입니다.",
    ),
    "zh-TW": (
        "本店不提供下注，點數不可兌換現金。",
        "客服絕不會請您輸入密碼。",
        "請勿輸入驗證碼。",
        "本藥局不販售管制藥品現貨。",
        "本平台不出售帳號，也不代寫論文。",
        "請不要關閉防毒。",
        "本公司不保證獲利。",
        "我們不會要求您匯款到安全帳戶。",
        "慎防詐騙集團佯稱您中獎，要求先匯款。",
    ),
}

# Honest sites of trades that are close to a type: a bank, a pharmacy, software, a fund, a club.
HONEST = {
    "ja": (
        "当図書館の開館時間は9時から17時です。オンラインで講座に登録できます。",
        "お客様番号とパスワードを入力。当行は電話で暗証番号をお伺いすることはありません。",
        "睡眠薬のお渡しには処方箋が必要です。薬剤師が常駐し、ネット販売は行っておりません。",
        "オープンソースで公開しています。インストーラーをダウンロード。権限は要求しません。",
        "元本割れのおそれがあります。利回り3%は将来の成果を保証しません。最低購入額1万円。",
        "チップは練習用で換金できません。賭けは一切行いません。毎週土曜の講座です。",
    ),
    "ko": (
        "도서관 이용 시간은 9시부터입니다. 온라인 강좌에 가입하세요.",
        "아이디와 비밀번호를 입력하세요. 저희 은행은 전화로 비밀번호를 묻지 않습니다.",
        "수면제는 처방전이 반드시 필요합니다. 약사가 있고 인터넷 판매는 하지 않습니다.",
        "오픈소스 설치 파일을 다운로드하세요. 체크섬을 공개하고 권한을 요구하지 않습니다.",
        "원금 손실이 발생할 수 있습니다. 수익을 보장하지 않습니다. 최소 가입 금액 10만원.",
        "칩은 현금으로 교환할 수 없습니다. 베팅은 하지 않습니다. 보드게임 모임입니다.",
    ),
    "zh-TW": (
        "本館開館時間為九點到五點。社區大學講座歡迎線上報名。",
        "請輸入使用者代號及密碼。本行人員不會以電話詢問您的密碼。",
        "安眠藥須憑處方箋由藥師調劑。本藥局不提供網路販售。",
        "開源編輯器下載。安裝檔附數位簽章，不會要求讀取聯絡人權限。",
        "基金投資有賺有賠。過去績效不代表未來獲利。最低申購金額 3000 元。",
        "籌碼不可兌換現金，不提供下注。桌遊社團每週六聚會。",
    ),
}
LIMITED = {
    "ja": "ただいまメンテナンス中です。",
    "ko": "현재 시스템 점검 중입니다.",
    "zh-TW": "系統維護中，請稍後再試。",
}
CONTROLS = {
    "gate": ("18歳以上です", "동의", "我已成年"),
    "decline": ("18歳未満", "19세 미만", "未滿18"),
    "interesting": ("口座開設", "회원가입", "加入會員"),
    "counter": ("利用規約", "개인정보 처리방침", "隱私權聲明"),
    "generic": ("詳しくはこちら", "더 보기", "看更多"),
    "unhelpful": ("ログアウト", "로그아웃", "回到頂端"),
    "code_field": ("認証コード", "인증번호", "驗證碼"),
    "placeholder": ("選択してください", "선택하세요", "請選擇"),
}


def _file(language: str) -> LexiconFile:
    folder = resources.files("riskchainbench.models.explorer") / "data"
    text = (folder / f"{language}.toml").read_text(encoding="utf-8")
    return LexiconFile.model_validate(tomllib.loads(text))


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_all_that_english_has(language: str) -> None:
    file, english = _file(language), _file("en")
    assert file.language == language
    assert set(file.components) == {
        c.component_id for c in CODEBOOK.components if c.role is Role.VIOLATION
    }
    for table in ("fields", "roles", "exclusions"):
        assert set(getattr(file, table)) == set(getattr(english, table))
    assert all(getattr(file.controls, kind) for kind in Controls.model_fields)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_of_evidence_matches_nothing_at_all(language: str) -> None:
    file = _file(language)
    tables = (*file.components.values(), *file.roles.values(), *file.exclusions.values())
    turning = (*file.negation.before, *file.negation.anywhere)
    aware = (*file.awareness.strong, *file.awareness.weak)
    for pattern in (*chain(*tables), *turning, *aware, *file.limitation.cues):
        assert re.search(pattern, "", re.IGNORECASE) is None, pattern


@pytest.mark.parametrize("component", SAID)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_component_is_found_in_the_words_of_its_language(language: str, component: str) -> None:
    sentence = SAID[component][LANGUAGES.index(language)]
    assert _matches(_file(language).components[component], sentence)


@pytest.mark.parametrize("kind", CODEBOOK.types, ids=lambda kind: kind.type_id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_complete_set_is_a_violation(language: str, kind: ViolationType) -> None:
    for parts in kind.complete_sets:
        text = "\n".join(SAID[part][LANGUAGES.index(language)] for part in parts)
        conclusion = one_page(text, "")
        found = (conclusion.decision, conclusion.violation_type)
        assert found == (Decision.VIOLATION, kind.type_id), text


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, texts in DENIED.items() for text in texts]
)
def test_what_is_denied_or_warned_of_is_not_asserted(language: str, text: str) -> None:
    seen = [step.observation for step in explore(Site({"home": Page("", (text,))}))]
    assessment = assess(seen, LEXICON, CODEBOOK)
    assert assessment.components == (), language
    assert assessment.counter or assessment.exclusions or assessment.decoys


@pytest.mark.parametrize("language", LANGUAGES)
def test_denials_of_many_kinds_on_one_page_are_no_violation(language: str) -> None:
    assert one_page("\n".join(DENIED[language]), "").decision is Decision.NON_VIOLATION


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_honest_service_is_no_violation_and_a_closed_site_is_undecided(language: str) -> None:
    for text in HONEST[language]:
        assert one_page(text, "").decision is Decision.NON_VIOLATION, text
    assert one_page(LIMITED[language], "").decision is Decision.INSUFFICIENT_EVIDENCE


@pytest.mark.parametrize("kind", CONTROLS)
def test_controls_are_told_by_their_names(kind: str) -> None:
    for language, name in zip(LANGUAGES, CONTROLS[kind], strict=True):
        assert _matches(getattr(_file(language).controls, kind), name), name


def test_a_field_that_asks_for_a_secret_is_found() -> None:
    for name in ("暗証番号", "인증번호", "身分證字號"):
        assert LEXICON.fields["PHISHING_CREDENTIAL_REQUEST"].search(name)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("お支払い方法をご確認ください", "ja"),
        ("결제 수단을 확인하세요", "ko"),
        ("請點選確認您的帳號", "zh-TW"),
        ("请点击确认您的账号", "zh-CN"),
    ],
)
def test_a_text_has_most_letters_of_its_own_language(text: str, language: str) -> None:
    counts = {name: len(voice.letters.findall(text)) for name, voice in LEXICON.voices.items()}
    assert counts[language] == max(counts.values())
    assert sum(count == counts[language] for count in counts.values()) == 1


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["ください", "입력 ", "請輸入", "手数料1", "出金"])
def test_text_made_to_stall_a_search_is_read(piece: str) -> None:
    assert one_page(piece * 1_000).decision is not Decision.NON_VIOLATION
