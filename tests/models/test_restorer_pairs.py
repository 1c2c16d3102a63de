"""Pairs worked out by hand: what a message became, and what it was; six recipes, all platforms.

Each pair is (platform, written, meant, entry). The obfuscated side was made by hand after the
recipes' descriptions, not by the generator.
"""

from __future__ import annotations

import pytest

from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.models.restorer import RulesRestorer

PRIMARY = [
    ("bilibili", "扌丁[妙啊]开κa[tv_晕]ω08x，m[大哭]e.test，输＊入[点赞]口令就行", "打开kaw08x.me.test，输入口令就行", "kaw08x.me.test"),
    ("bilibili", "[呆]今晚的资料放在 qα4[微笑]m7.z[藏狐]1κ.test 里，自[笑哭]已～看", "今晚的资料放在 qa4m7.z1k.test 里，自己看", "qa4m7.z1k.test"),
    ("douyin", "新人先[机智]力口好友，再去[酷拽]ω9x2，h[困]0.test领福禾刂", "新人先加好友，再去w9x2.h0.test领福利", "w9x2.h0.test"),
    ("douyin", "直播回放[V5]在κ3[泪奔]v8.pα.te[发呆]st，点[嘿哈]幵就能看", "直播回放在k3v8.pa.test，点开就能看", "k3v8.pa.test"),
    ("wechat", "联/微笑 系客福/疑问 请打开αb/流泪 3d，κ9.te/捂脸 st，别忘了验正码", "联系客服请打开ab3d.k9.test，别忘了验证码", "ab3d.k9.test"),
    ("wechat", "群[裂开]文件搬到 ωx2/吃瓜 y.m[666]5.test 了，先 登·陆再看", "群文件搬到 wx2y.m5.test 了，先登录再看", "wx2y.m5.test"),
    ("qq", "月及/wx 务端换到/ll n7κ/doge q，α2/dz .test，旧/tx 的己经关了", "服务端换到n7kq.a2.test，旧的已经关了", "n7kq.a2.test"),
    ("qq", "进裙/cg 以后扌丁开/xk h2/hx α8.ωe.te/fn st看公^告", "进群以后打开h2a8.we.test看公告", "h2a8.we.test"),
    ("weibo", "中奖[哈哈]名单在αa1[doge]b2，c[汗]3.test，请[鼓掌]各＊位自己核对", "中奖名单在aa1b2.c3.test，请各位自己核对", "aa1b2.c3.test"),
    ("weibo", "账户余[费解]额可以查询，地址是 κk[爱你]77.0ω.test，土也[闭嘴]址别输错", "账户余额可以查询，地址是 kk77.0w.test，地址别输错", "kk77.0w.test"),
    ("baidu_tieba", "本楼#(滑稽)更新：真题和答案在 t5#(汗)κ2.ωω.test，先#(呵呵)收[图片说明]藏", "本楼更新：真题和答案在 t5k2.ww.test，先收[图片说明]藏", "t5k2.ww.test"),
    ("baidu_tieba", "头#(泪)资有风险，讠青#(酷)看 α8α，b#(开心)2.test 的提醒", "投资有风险，请看 a8a.b2.test 的提醒", "a8a.b2.test"),
    ("wechat_channels", "点🙂开κ5🙈5.n🤧2.test，扌是取码在评论👍区", "点开k55.n2.test，提取码在评论区", "k55.n2.test"),
    ("tiktok", "讠青😭用浏览器访问 pα1😵9，ωz.te💬st，不要转发", "请用浏览器访问 pa19.wz.test，不要转发", "pa19.wz.test"),
]  # fmt: skip

PHONETIC = [
    ("qq", "头资课程在这里 κ8x2.m3.test", "投资课程在这里 k8x2.m3.test", "k8x2.m3.test"),
    ("wechat", "有问题请练系客福，入口是αp4.q9.test", "有问题请联系客服，入口是ap4.q9.test", "ap4.q9.test"),
    ("weibo", "打开ωw1.zz.test后用手机帐号登陆", "打开ww1.zz.test后用手机账号登录", "ww1.zz.test"),
    ("bilibili", "想看完正版的来 x9κ.u2.test 子取", "想看完整版的来 x9k.u2.test 自取", "x9k.u2.test"),
    ("douyin", "参加抽江的同学把名子填在 n6α.t1.test", "参加抽奖的同学把名字填在 n6a.t1.test", "n6a.t1.test"),
    ("baidu_tieba", "资缘已经放好，复治链接 hκ3.p0.test 到流览器", "资源已经放好，复制链接 hk3.p0.test 到浏览器", "hk3.p0.test"),
    ("qq", "请先关住主页，再点 r2ω.s8.test 领红抱", "请先关注主页，再点 r2w.s8.test 领红包", "r2w.s8.test"),
    ("wechat_channels", "驾校抱名优会到周末，祥情 α77.g4.test", "驾校报名优惠到周末，详情 a77.g4.test", "a77.g4.test"),
    ("tiktok", "输入严证码以前看清处 v4κ.d6.test", "输入验证码以前看清楚 v4k.d6.test", "v4k.d6.test"),
    ("weibo", "客服值班时间见 m2α.b8.test，别找假冒的", "客服值班时间见 m2a.b8.test，别找假冒的", "m2a.b8.test"),
]  # fmt: skip

ENCODED = [
    ("qq", "资料在 κα8x2，m3.test，自己看。", "资料在 ka8x2.m3.test，自己看。", "ka8x2.m3.test"),
    ("wechat", "打开αω4，q9.test，输入口令K7Q2", "打开aw4.q9.test，输入口令K7Q2", "aw4.q9.test"),
    ("weibo", "ωκ1，zz.test这个地址能用", "wk1.zz.test这个地址能用", "wk1.zz.test"),
    ("bilibili", "完整版：хκ9，u2.test", "完整版：xk9.u2.test", "xk9.u2.test"),
    ("douyin", "地址是ｎ６α，t1．test！", "地址是n6a.t1.test！", "n6a.t1.test"),
    ("baidu_tieba", "ａｂ。ｃｄ。test，备用。请自取。", "ab.cd.test，备用。请自取。", "ab.cd.test"),
    ("qq", "去𝐫2ω，ѕ8.test领", "去r2w.s8.test领", "r2w.s8.test"),
    ("wechat_channels", "详情看 аа7，g4.test，，谢谢", "详情看 aa7.g4.test，，谢谢", "aa7.g4.test"),
    ("tiktok", "v4κ，dб.test", "v4k.d6.test", "v4k.d6.test"),
    ("weibo", "（m2α，β8.test）", "（m2a.b8.test）", "m2a.b8.test"),
]  # fmt: skip

LEXICAL = [
    ("bilibili", "会[呆]员请到[微笑]κ8x2.m[妙啊]3.test登[点赞]录，密[大哭]石马不[疑惑]要告诉[生病]别人", "会员请到k8x2.m3.test登录，密码不要告诉别人", "k8x2.m3.test"),
    ("douyin", "兑[困]换石马[晕]在详[V5]情页，打[给力]\n开αp4.q9.test[大哭]填写", "兑换码在详情页，打开ap4.q9.test填写", "ap4.q9.test"),
    ("wechat", "扌是/微笑 醒大/疑问 家：不要/流泪 车专账，官/害羞 网是/大哭 ωw1.zz.test", "提醒大家：不要转账，官网是ww1.zz.test", "ww1.zz.test"),
    ("qq", "君羊/wx 里的文/ll 件失效/hx 了，去/dk x9κ.u2.test/fn 下载", "群里的文件失效了，去x9k.u2.test下载", "x9k.u2.test"),
    ("weibo", "报名[爱你]表已[拜拜]经更新，[抱抱]讠青到[汗]n6α.t1.test[哈哈]提交", "报名表已经更新，请到n6a.t1.test提交", "n6a.t1.test"),
    ("baidu_tieba", "#(呵呵)楼主#(哈哈)发的连载#(酷)更新了#(汗)，看这里#(泪)hκ3.p0.test", "楼主发的连载更新了，看这里hk3.p0.test", "hk3.p0.test"),
    ("wechat_channels", "🙂亻尔们🥂要的🙈教程😭都在🤧r2ω.s8.test🤫", "你们要的教程都在r2w.s8.test", "r2w.s8.test"),
    ("tiktok", "👍请😵看💬α77.g4.test🙂的公🥂告", "请看a77.g4.test的公告", "a77.g4.test"),
    ("qq", "资/wx 粉/ll 已经上/hx 传到/doge v4κ.d6.test/dz ，自取", "资粉已经上传到v4k.d6.test，自取", "v4k.d6.test"),
    ("wechat", "自[裂开]已扌戈/微笑 客服[苦涩]，入口[叹气]m2α.b8.test", "自己找客服，入口m2a.b8.test", "m2a.b8.test"),
]  # fmt: skip

FEW_LINES = [
    ("bilibili", "资料[呆]在[微笑]这里κ8x2\nm3点test[妙啊]自取", "资料在这里k8x2.m3.test自取", "k8x2.m3.test"),
    ("douyin", "[困]打开[晕]αp4\nq9．test[V5]，填口令", "打开ap4.q9.test，填口令", "ap4.q9.test"),
    ("wechat", "官网/微笑 是ω/疑问 w1\nzz，test/流泪 别记错", "官网是ww1.zz.test别记错", "ww1.zz.test"),
    ("qq", "去/wx x9κ\nu2。\ntest/ll 下载/hx 吧", "去x9k.u2.test下载吧", "x9k.u2.test"),
    ("weibo", "报名[爱你]到n6α\nt1\n．test[拜拜]", "报名到n6a.t1.test", "n6a.t1.test"),
    ("baidu_tieba", "看#(呵呵)hκ3\np0\n点\ntest#(哈哈)", "看hk3.p0.test", "hk3.p0.test"),
    ("wechat_channels", "教程🙂在r2ω\ns8，test🥂", "教程在r2w.s8.test", "r2w.s8.test"),
    ("tiktok", "α77\ng4。test👍有公告", "a77.g4.test有公告", "a77.g4.test"),
]  # fmt: skip

VERTICAL = [
    ("bilibili", "去κ[呆]\n8\nα[微笑]\n2\n\nm[妙啊]\n3\n.\nt\ne[大哭]\ns\nt看密石马", "去k8a2.m3.test看密码", "k8a2.m3.test"),
    ("douyin", "打开α[困]\np\n0️⃣\n\nω\n9\n．\nt[晕]\ne\ns\nt，填口令", "打开ap0.w9.test，填口令", "ap0.w9.test"),
    ("wechat", "官网ω/微笑 \nw\n1/疑问 \n\nα\nz\n.\nt/流泪 \ne\ns\nt别忘了", "官网ww1.az.test别忘了", "ww1.az.test"),
    ("qq", "下载x/wx \n9\nκ\n\nu/ll \nα\n.\nt\ne\ns/hx \nt自取", "下载x9k.ua.test自取", "x9k.ua.test"),
    ("weibo", "扌是交n[爱你]\n6\nα\n\nκ\n1[拜拜]\n。\nt\ne\ns\nt即可", "提交n6a.k1.test即可", "n6a.k1.test"),
    ("baidu_tieba", "看#(呵呵)h\nκ\n3#(哈哈)\n\np\n0️⃣\n.\nt\ne\ns\nt#(酷)", "看hk3.p0.test", "hk3.p0.test"),
    ("qq", "κ\r\nα\r\n8\r\n\r\nm\r\n3\r\n.\r\nt\r\ne\r\ns\r\nt这里", "ka8.m3.test这里", "ka8.m3.test"),
    ("wechat_channels", "来κ🙂\n5\nα\n\nn\n2\n点\nt🙈\ne\ns\nt看回放", "来k5a.n2.test看回放", "k5a.n2.test"),
]  # fmt: skip

PLAIN = [
    ("qq", "看 docs/wx 目录，路径是 a/b/c ", "看 docs/wx 目录，路径是 a/b/c ", None),
    ("bilibili", "[图片说明]这是上周的合影[链接]", "[图片说明]这是上周的合影[链接]", None),
    ("weibo", "今晚八点一起看球赛，好呀～你带水果", "今晚八点一起看球赛，好呀～你带水果", None),
    ("wechat", "一家三口👨‍👩‍👧去玩，1️⃣号门集合🇨🇳", "一家三口👨‍👩‍👧去玩，1️⃣号门集合🇨🇳", None),
    ("unheard_of", "资料[笑哭]在/wx a1b.c2.test#(滑稽)", "资料在a1b.c2.test", "a1b.c2.test"),
]  # fmt: skip

ALL = [*PRIMARY, *PHONETIC, *ENCODED, *LEXICAL, *FEW_LINES, *VERTICAL, *PLAIN]


@pytest.fixture(scope="module")
def restorer() -> RulesRestorer:
    return RulesRestorer()


@pytest.mark.parametrize(("platform", "written", "meant", "entry"), ALL)
def test_restores_what_was_meant(
    restorer: RulesRestorer, platform: str, written: str, meant: str, entry: str | None
) -> None:
    task = RestorationTask(
        sample_id="s",
        platform=platform,
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=written),),
    )
    restored = restorer.restore(task)
    assert restored.messages[0].text == meant
    assert [c.value for c in restored.candidates][:1] == ([entry] if entry else [])
    assert restored.abstain is (entry is None)


def test_there_are_sixty_pairs_and_more() -> None:
    assert len(ALL) >= 60
