// Tries every way out of the website, towards one target; `target` stands before this script.
(() => {
  "use strict";
  const add = (tag, attributes, text) => {
    const el = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
    if (text) el.textContent = text;
    document.body.append(el);
    return el;
  };
  const attempt = (work) => {
    try {
      Promise.resolve(work()).catch(() => {});
    } catch { /* an attempt that fails is what is hoped for */ }
  };
  const blob = (text, type = "text/javascript") =>
    URL.createObjectURL(new Blob([text], { type }));
  const vectors = {
    fetch: (u) => fetch(u, { mode: "no-cors" }),
    "fetch keepalive": (u) => fetch(u, { mode: "no-cors", keepalive: true }),
    xhr: (u) => { const x = new XMLHttpRequest(); x.open("GET", u); x.send(); },
    img: (u) => { new Image().src = u; },
    iframe: (u) => add("iframe", { src: u }),
    script: (u) => add("script", { src: u }),
    stylesheet: (u) => add("link", { rel: "stylesheet", href: u }),
    "css import": (u) => add("style", {}, `@import url("${u}");`),
    "css background": (u) => add("div", { style: `background:url("${u}");height:9px` }),
    font: (u) => new FontFace("f", `url("${u}")`).load(),
    video: (u) => add("video", { src: u, preload: "auto" }),
    track: (u) => add("video", {}).append(Object.assign(document.createElement("track"),
      { src: u, default: true })),
    object: (u) => add("object", { data: u }),
    embed: (u) => add("embed", { src: u }),
    eventsource: (u) => new EventSource(u),
    beacon: (u) => navigator.sendBeacon(u, "x"),
    websocket: (u) => new WebSocket(u.replace("http:", "ws:")),
    "websocket stream": (u) => new WebSocketStream(u.replace("http:", "ws:")),
    prefetch: (u) => add("link", { rel: "prefetch", href: u }),
    preload: (u) => add("link", { rel: "preload", as: "image", href: u }),
    modulepreload: (u) => add("link", { rel: "modulepreload", href: u }),
    preconnect: (u) => add("link", { rel: "preconnect", href: u }),
    "dynamic import": (u) => import(u),
    "worker fetch": (u) => new Worker(blob(`fetch("${u}",{mode:"no-cors"})`)),
    "worker import": (u) => new Worker(blob(`importScripts("${u}")`)),
    "shared worker": (u) => new SharedWorker(`/shared.js?to=${encodeURIComponent(u)}`),
    "service worker": (u) => navigator.serviceWorker.register(
      `/shared.js?to=${encodeURIComponent(u)}`),
    "form get": (u) => { add("iframe", { name: `g${u}` });
      add("form", { action: u, target: `g${u}` }).submit(); },
    "form post": (u) => { add("iframe", { name: `p${u}` });
      add("form", { action: u, method: "post", target: `p${u}` }).submit(); },
    "meta refresh": (u) => add("iframe", { src: `/meta?to=${encodeURIComponent(u)}` }),
    "refresh header": (u) => add("iframe", { src: `/refresh?to=${encodeURIComponent(u)}` }),
    "redirected img": (u) => { new Image().src = `/redirect?to=${encodeURIComponent(u)}`; },
    "redirected fetch": (u) => fetch(`/redirect?to=${encodeURIComponent(u)}`, { mode: "no-cors" }),
    "redirected frame": (u) => add("iframe", { src: `/redirect?to=${encodeURIComponent(u)}` }),
    "srcdoc frame": (u) => add("iframe", { srcdoc: `<img src="${u}">` }),
    "data frame": (u) => add("iframe", { src: `data:text/html,<img src="${u}">` }),
    "blob frame": (u) => add("iframe", { src: blob(`<img src="${u}">`, "text/html") }),
    "svg image": (u) => add("div", {}).innerHTML = `<svg><image href="${u}"/></svg>`,
    "link ping": (u) => add("a", { href: "#x", ping: u }).click(),
    popup: (u) => window.open(u),
    "popup without opener": (u) => window.open(u, "_blank", "noopener"),
    "popup websocket": (u) => { const w = window.open("about:blank");
      w.eval(`new WebSocket("${u.replace("http:", "ws:")}")`); },
    "speculative prefetch": (u) => add("script", { type: "speculationrules" },
      JSON.stringify({ prefetch: [{ source: "list", urls: [u], eagerness: "immediate" }] })),
    prerender: (u) => add("script", { type: "speculationrules" },
      JSON.stringify({ prerender: [{ source: "list", urls: [u], eagerness: "immediate" }] })),
  };
  const peer = async (server) => {
    const pc = new RTCPeerConnection({ iceServers: [server] });
    pc.createDataChannel("x");
    await pc.setLocalDescription(await pc.createOffer());
  };
  const direct = async (address, port) => {
    const pc = new RTCPeerConnection(), other = new RTCPeerConnection();
    pc.createDataChannel("x");
    await pc.setLocalDescription(await pc.createOffer());
    await other.setRemoteDescription(pc.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    const lines = other.localDescription.sdp.split("\r\n").filter((l) => !/^a=candidate/.test(l));
    await pc.setRemoteDescription({ type: "answer", sdp: lines.join("\r\n") });
    await pc.addIceCandidate({ sdpMid: "0", sdpMLineIndex: 0,
      candidate: `candidate:1 1 udp 2122260223 ${address} ${port} typ host` });
  };
  const at = target.address;
  const to = (name) => `http://${at}:${target.http}/v/${encodeURIComponent(name)}`;
  for (const [name, work] of Object.entries(vectors)) attempt(() => work(to(name)));
  attempt(() => peer({ urls: `stun:${at}:${target.stun}` }));
  attempt(() => direct(at.replace(/[[\]]/g, ""), target.direct));
  attempt(() => peer({ urls: `turn:${at}:${target.turn}?transport=tcp`,
    username: "u", credential: "c" }));
  attempt(() => new WebTransport(`https://${at}:${target.quic}/`));
  const beside = ["WebRTC STUN", "WebRTC direct", "TURN over TCP", "WebTransport", "download"];
  fetch(`/tried?vectors=${encodeURIComponent(JSON.stringify([...Object.keys(vectors), ...beside]))}`);
  // A download that fails replaces the page, so it comes last.
  setTimeout(() => add("a", { href: to("download"), download: "x" }).click(), 1200);
})();
