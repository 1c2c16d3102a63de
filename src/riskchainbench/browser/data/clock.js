// Gives every page the same moving clock and the same sequence of random numbers.
(() => {
  const base = __BASE__, seed = __SEED__;
  const Real = Date, started = performance.now.bind(performance);
  const now = () => Math.floor(base + started());
  const Fixed = new Proxy(Real, {
    construct: (target, args, made) =>
      Reflect.construct(target, args.length ? args : [now()], made === Fixed ? target : made),
    apply: (target) => new target(now()).toString(),
  });
  Object.defineProperty(Real, "now", { value: now, writable: true, configurable: true });
  Object.defineProperty(Real.prototype, "constructor", {
    value: Fixed, writable: true, configurable: true, enumerable: false,
  });
  globalThis.Date = Fixed;
  let state = seed >>> 0;
  Object.defineProperty(Math, "random", {
    writable: true, configurable: true,
    value: () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let t = state;
      t = Math.imul(t ^ (t >>> 15), t | 1);
      t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    },
  });
})();
