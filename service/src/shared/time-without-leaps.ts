/**
 * The machine's time, but not ahead of the time that has passed since this process began: a clock that is set forward
 * makes no file of this process old.
 */
export function timeWithoutLeaps(): number {
    return Math.min(Date.now(), performance.timeOrigin + performance.now());
}
