"""The explorer's Vietnamese, Thai and Indonesian words on sentences made by hand."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from explorer_site import CODEBOOK, Page, Site, explore, one_page

from riskchainbench.core.decisions import Decision
from riskchainbench.models.explorer.evidence import assess
from riskchainbench.models.explorer.lexicon import Lexicon, LexiconFile, merge

LANGUAGES = ("vi", "th", "id")

VIOLATIONS = {
    "FRAUD_DECEPTIVE_INDUCEMENT": {
        "vi": "Chúc mừng bạn đã trúng thưởng một chiếc xe.\nNộp phí vận chuyển trước khi nhận.",
        "th": "ขอแสดงความยินดี คุณถูกรางวัลใหญ่\nโอนค่าธรรมเนียมก่อนรับของ",
        "id": "Selamat, Anda pemenang undian.\nTransfer biaya administrasi terlebih dahulu.",
    },
    "PHISHING_CREDENTIAL_THEFT": {
        "vi": "Tài khoản của quý khách đã bị tạm khóa.\nVui lòng nhập mật khẩu và mã OTP.",
        "th": "บัญชีของท่านถูกระงับชั่วคราวเพราะรายการผิดปกติ\nกรุณากรอกรหัสผ่านและรหัส OTP",
        "id": "Akun Anda telah diblokir sementara.\nMasukkan kata sandi dan kode OTP.",
    },
    "IMPERSONATION_FAKE_SERVICE": {
        "vi": "Tôi là cán bộ điều tra thuộc công an.\nChuyển tiền vào tài khoản an toàn ngay.",
        "th": "ผมคือเจ้าหน้าที่ตำรวจ หมายเลขคดี A12\nโอนเงินเข้าบัญชีปลอดภัยเดี๋ยวนี้",
        "id": "Saya petugas resmi dari dinas pajak.\nPindahkan uang ke rekening aman petugas.",
    },
    "INVESTMENT_FINANCIAL_FRAUD": {
        "vi": "Lợi nhuận 5% mỗi ngày, cam kết hoàn vốn.\nNạp tiền tối thiểu 500 để kích hoạt gói.",
        "th": "กำไร 5% ต่อวัน ผลตอบแทนแน่นอน\nฝากเงินขั้นต่ำ 500 เพื่อเปิดพอร์ต",
        "id": "Keuntungan 5% per hari, modal pasti kembali.\nSetor dana 500 ke rekening kami.",
    },
    "GAMBLING_BETTING_PROMOTION": {
        "vi": "Đặt cược ngay, kèo nhà cái hôm nay.\nCược tối thiểu 10, rút tiền siêu tốc.",
        "th": "แทงบอลสดคืนนี้ บาคาร่าออนไลน์\nเดิมพันขั้นต่ำ 10 ถอนเงินทันที",
        "id": "Pasang taruhan bola malam ini.\nTaruhan minimal 10, kemenangan dibayar tunai.",
    },
    "CONTROLLED_SUBSTANCE_PROMOTION": {
        "vi": "Bán cần sa loại 1, có sẵn hàng.\nGiá 300 mỗi gam, đóng gói kín đáo.",
        "th": "ขายยาอี ของเข้าใหม่ พร้อมส่ง\nกรัมละ 300 แพ็กมิดชิด",
        "id": "Jual ganja kualitas premium.\nHarga 300 per gram, kemasan polos tanpa nama.",
    },
    "ADULT_CONTENT_OR_SEXUAL_SERVICE": {
        "vi": "Gái gọi phục vụ qua đêm.\nĐặt phòng khách sạn, nhắn zalo gặp em.",
        "th": "น้องๆ ไซด์ไลน์ พร้อมบริการถึงห้อง\nชั่วโมงละ 1500 มัดจำก่อน",
        "id": "Cewek panggilan siap menemani malam ini.\nTarif per jam 500, transfer DP dulu.",
    },
    "MALWARE_SUSPICIOUS_DOWNLOAD": {
        "vi": "Tải ngay tệp cài đặt APK.\nTắt phần mềm diệt virus rồi bỏ qua cảnh báo.",
        "th": "ดาวน์โหลดไฟล์ apk ที่นี่\nปิดโปรแกรมป้องกันไวรัสแล้วข้ามคำเตือน",
        "id": "Unduh file APK sekarang.\nMatikan antivirus dan abaikan peringatan.",
    },
    "OTHER_PROHIBITED_ACTIVITY": {
        "vi": "Nhận làm bằng đại học giả, thi hộ.\nVi phạm quy định của trường nhưng vẫn làm.",
        "th": "รับสอบแทน ทำวุฒิปลอม\nแม้กฎหมายห้ามไว้ก็ทำได้",
        "id": "Jual ijazah palsu dan joki ujian.\nMelanggar aturan kampus, tidak ketahuan.",
    },
}

HONEST = {
    "vi": [
        "Trò chơi này chỉ để giải trí, không đặt cược bằng tiền thật.",
        "Chúng tôi không bao giờ yêu cầu nhập mật khẩu hay mã OTP.",
        "Chúng tôi không cam kết lợi nhuận 5% mỗi năm.",
        "Giờ mở cửa thư viện: 8 giờ đến 17 giờ.",
    ],
    "th": [
        "เกมนี้เพื่อความบันเทิงเท่านั้น ไม่มีการวางเดิมพันด้วยเงินจริง",
        "เราไม่เคยขอให้กรอกรหัสผ่านหรือรหัส OTP",
        "เราไม่รับประกันผลตอบแทนจากการลงทุน",
        "เวลาทำการห้องสมุด 8.00 ถึง 17.00",
    ],
    "id": [
        "Permainan ini hanya untuk hiburan, tidak ada taruhan online.",
        "Kami tidak pernah meminta Anda kirim kata sandi atau kode OTP.",
        "Kami tidak menjanjikan keuntungan 5% per tahun.",
        "Jam buka perpustakaan: pukul 8 sampai 17.",
    ],
}

LIMITED = {
    "vi": "Trang web đang bảo trì, vui lòng quay lại sau.",
    "th": "เว็บไซต์ปิดปรับปรุง โปรดกลับมาใหม่",
    "id": "Situs sedang dalam pemeliharaan.",
}

GATES = {
    "vi": (["Đồng ý", "Tôi trên 18 tuổi", "Đóng"], ["Đóng góp", "Đăng nhập"], "Từ chối"),
    "th": (["ยอมรับ", "ปิด", "อายุเกิน 18 ปี"], ["เปิดบัญชี", "เข้าสู่ระบบ", "ติดต่อ"], "ปฏิเสธ"),
    "id": (["Setuju", "Saya di atas 18 tahun", "Tutup"], ["Masuk", "Daftar"], "Tolak"),
}

NAMELESS = {
    "vi": (["Xem chi tiết", "Tiếp theo", "Đọc thêm"], "Xem giải thưởng"),
    "th": (["ดูรายละเอียด", "ถัดไป", "อ่านต่อ"], "ดูของรางวัล"),
    "id": (["Lihat selengkapnya", "Berikutnya", "Baca lebih lanjut"], "Lihat hadiah"),
}


def words(language: str) -> LexiconFile:
    folder = resources.files("riskchainbench.models.explorer") / "data"
    text = (folder / f"{language}.toml").read_text(encoding="utf-8")
    return LexiconFile.model_validate(tomllib.loads(text))


ALONE: dict[str, Lexicon] = {language: merge([words(language)]) for language in LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_all_that_english_has(language: str) -> None:
    own, english = words(language), words("en")
    assert own.language == language
    assert own.components.keys() == english.components.keys()
    assert own.roles.keys() == english.roles.keys()
    assert own.exclusions.keys() == english.exclusions.keys()
    assert own.fields.keys() == english.fields.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_pattern_matches_nothing_at_all(language: str) -> None:
    lexicon = ALONE[language]
    groups = (*lexicon.components.values(), *lexicon.roles.values(), *lexicon.exclusions.values())
    loose = [m.pattern for group in groups for m in group if m.search("")]
    loose += [m.pattern for m in lexicon.limitation if m.search("")]
    loose += [m.pattern for m in lexicon.controls.values() if m.search("")]
    assert loose == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("expected", VIOLATIONS)
def test_a_complete_set_is_a_violation(expected: str, language: str) -> None:
    conclusion = one_page(VIOLATIONS[expected][language])
    assert (conclusion.decision, conclusion.violation_type) == (Decision.VIOLATION, expected)


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language in LANGUAGES for text in HONEST[language]]
)
def test_an_honest_sentence_is_no_violation(language: str, text: str) -> None:
    assert one_page(text).decision is Decision.NON_VIOLATION


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_honest_sentences_together_are_no_violation(language: str) -> None:
    assert one_page("\n".join(HONEST[language])).decision is Decision.NON_VIOLATION


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_closed_site_is_insufficient(language: str) -> None:
    assert one_page(LIMITED[language]).decision is Decision.INSUFFICIENT_EVIDENCE
    assert any(matcher.search(LIMITED[language]) for matcher in ALONE[language].limitation)


@pytest.mark.parametrize("language", LANGUAGES)
def test_gates_are_told_from_other_controls(language: str) -> None:
    lexicon, (gates, others, decline) = ALONE[language], GATES[language]
    assert all(lexicon.called("gate", name) for name in gates)
    assert not any(lexicon.called("decline", name) for name in gates)
    assert not any(lexicon.called("gate", name) for name in others)
    assert lexicon.called("decline", decline)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_without_meaning_are_told_from_telling_ones(language: str) -> None:
    lexicon, (nameless, telling) = ALONE[language], NAMELESS[language]
    assert [name for name in nameless if not lexicon.says_nothing(name)] == []
    assert not lexicon.says_nothing(telling)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_component_is_said_in_some_made_sentence(language: str) -> None:
    said = {
        cue
        for texts in VIOLATIONS.values()
        for cue, matchers in ALONE[language].components.items()
        if any(matcher.search(texts[language]) for matcher in matchers)
    }
    unsaid = {"ADULT_CONTENT_SHOWN", "MALWARE_FALSE_SOURCE", "MALWARE_UNFIT_PURPOSE"}
    assert set(ALONE[language].components) - said <= unsaid


SENTENCES = {
    "ADULT_CONTENT_SHOWN": {
        "vi": "Xem video người lớn không che.",
        "th": "ดูคลิปโป๊ไม่เซ็นเซอร์",
        "id": "Nonton video dewasa tanpa sensor.",
    },
    "MALWARE_FALSE_SOURCE": {
        "vi": "Trình duyệt của bạn đã lỗi thời, nhà phát hành không xác định.",
        "th": "เบราว์เซอร์ของคุณล้าสมัย ผู้เผยแพร่ไม่รู้จัก",
        "id": "Pemutar Anda sudah usang, penerbit tidak dikenal.",
    },
    "MALWARE_UNFIT_PURPOSE": {
        "vi": "Đèn pin cần quyền đọc danh bạ và tin nhắn.",
        "th": "แอปไฟฉายขอสิทธิ์เข้าถึงรายชื่อผู้ติดต่อ",
        "id": "Aplikasi senter meminta akses kontak dan SMS.",
    },
    "PHISHING_CREDENTIAL_REQUEST": {
        "vi": "Nhập số thẻ và mã CVV.",
        "th": "กรอกหมายเลขบัตรและรหัส CVV",
        "id": "Isi nomor kartu dan CVV.",
    },
    "INVESTMENT_DEPOSIT_OR_OBSTACLE": {
        "vi": "Rút tiền phải nộp thuế trước.",
        "th": "ถอนเงินต้องชำระภาษีก่อน",
        "id": "Penarikan wajib bayar pajak dulu.",
    },
    "SUBSTANCE_OFFER": {
        "vi": "Mua thuốc an thần, không cần đơn thuốc.",
        "th": "สั่งซื้อยาควบคุม ไม่ต้องมีใบสั่งแพทย์",
        "id": "Beli obat penenang tanpa resep.",
    },
}

NEGATED = {
    "GAMBLING_BET_OFFER": {
        "vi": "Trang này không nhận đặt cược.",
        "th": "เว็บนี้ไม่รับวางเดิมพัน",
        "id": "Situs ini tidak menerima taruhan online.",
    },
    "SUBSTANCE_OFFER": {
        "vi": "Nhà thuốc không bán thuốc an thần.",
        "th": "ร้านยานี้ไม่ขายยาควบคุม",
        "id": "Apotek ini tidak menjual obat penenang.",
    },
    "INVESTMENT_RETURN_CLAIM": {
        "vi": "Quỹ không cam kết lợi nhuận.",
        "th": "กองทุนไม่รับประกันผลตอบแทน",
        "id": "Dana ini tidak menjamin keuntungan pasti.",
    },
    "PHISHING_CREDENTIAL_REQUEST": {
        "vi": "Đừng gửi mật khẩu cho bất kỳ ai.",
        "th": "อย่าส่งรหัสผ่านให้ใคร",
        "id": "Jangan kirim kata sandi kepada siapa pun.",
    },
    "MALWARE_PROTECTION_EVASION": {
        "vi": "Không tắt phần mềm diệt virus.",
        "th": "อย่าปิดโปรแกรมป้องกันไวรัส",
        "id": "Jangan matikan antivirus.",
    },
}

ORDINARY = (
    "Câu lạc bộ đọc sách họp vào thứ bảy tại nhà văn hóa.",
    "Chúng tôi trả lời câu hỏi của bạn trong hai ngày làm việc.",
    "ชมรมอ่านหนังสือพบกันทุกวันเสาร์ที่ห้องสมุด",
    "เปิดทุกวันสำหรับผู้เข้าชม 20 คนต่อรอบ",
    "Klub buku bertemu setiap hari Sabtu di balai warga.",
    "Main menu: the seminar on gardening starts at noon.",
    "Against all odds the spell checker found the coach a new bike.",
)


def asserted(text: str, language: str) -> set[str]:
    """Return the components that `text` asserts under one language's words alone."""
    observation = explore(Site({"home": Page("Trang หน้า", (text,))}))[0].observation
    return {finding.cue for finding in assess([observation], ALONE[language], CODEBOOK).components}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("component", SENTENCES)
def test_a_sentence_that_says_a_component_counts(component: str, language: str) -> None:
    assert component in asserted(SENTENCES[component][language], language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("component", NEGATED)
def test_a_sentence_that_denies_a_component_does_not(component: str, language: str) -> None:
    assert component not in asserted(NEGATED[component][language], language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_sentence_says_none(text: str, language: str) -> None:
    assert asserted(text, language) == set()


@pytest.mark.timeout(30)
@pytest.mark.parametrize("piece", ["nhập ", "กรอก", "masukkan ", "tài khoản 1 ", "บัญชี 1 "])
def test_text_made_to_stall_a_search_is_read(piece: str) -> None:
    assert one_page(piece * 400).decision is Decision.INSUFFICIENT_EVIDENCE
