/** Values with fewer digits are ports, counts and versions. */
const minDigits = 6;
/** Shorter words are names such as `default` and `docs`. */
const minLetters = 8;
const minCharacters = 4;
const minDifferentCharacters = 3;
/** Names of properties, which careless people also choose as passwords. */
const commonWord = /^(pass(word|phrase|wd)|secret|token|user(name)?|kubeconfig|certificate|undefined|kubernetes)$/i;

/**
 * Whether a string that equals a secret, or contains it, counts as a copy. Other strings may equal a common secret,
 * such as `1`, `true` or `docs`, by chance.
 */
export function isDistinctive(secret: string): boolean {
    if (new Set(secret).size < minDifferentCharacters || commonWord.test(secret)) {
        return false;
    }
    if (/^[\d.,:+-]+$/.test(secret)) {
        return secret.replace(/\D/g, "").length >= minDigits;
    }
    return secret.length >= (/^[a-z]+$/i.test(secret) ? minLetters : minCharacters);
}

/** Whether only whole words count as copies of a secret: `1` in `version 1`, but not in `10`. */
export function isCopiedAsWord(secret: string): boolean {
    return (
        !isDistinctive(secret) && (secret.length < minDifferentCharacters || /^([\d.+-]+|true|false)$/i.test(secret))
    );
}
