export type Random = () => number;

/**
 * Creates a generator of uniform numbers in [0, 1): mulberry32, by Tommy Ettinger (public domain). The same seed gives
 * the same numbers.
 */
export function createRandom(seed: number): Random {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let bits = Math.imul(state ^ (state >>> 15), state | 1);
        bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
        return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
    };
}

export const integerBetween = (random: Random, low: number, high: number): number =>
    low + Math.floor((high - low + 1) * random());

export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(random() * choices.length)] ?? choices[0];
}
