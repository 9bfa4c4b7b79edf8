/** The polynomial of CRC-32, lowest power first. */
const polynomial = 0xedb88320;
const one = 0x80000000;

/** x^(2^i) for each index i, modulo the polynomial. */
const powers: number[] = [];
for (let power = one >>> 1; powers.length < 64; power = product(power, power)) {
    powers.push(power);
}

/** The CRC-32 of two concatenated strings, computed from their checksums and the length of the second. */
export function combineChecksums(first: number, second: number, secondBytes: number): number {
    let shift = one;
    // A byte has 2^3 bits.
    for (let [rest, index] = [secondBytes, 3]; rest > 0; rest = Math.floor(rest / 2), index += 1) {
        if (rest % 2 === 1) {
            shift = product(powers[index] as number, shift);
        }
    }
    return (product(shift, first) ^ second) >>> 0;
}

/** Multiplies two polynomials, modulo the polynomial of CRC-32. */
function product(left: number, right: number): number {
    let sum = 0;
    let shifted = right;
    for (let bit = one; bit !== 0; bit >>>= 1) {
        if ((left & bit) !== 0) {
            sum ^= shifted;
        }
        shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
    }
    return sum >>> 0;
}
