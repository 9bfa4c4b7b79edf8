import { type ReadSetting, texts } from "./setting-values.js";

/** Each query looks up every word of a group. */
const maxWords = 8;

/** Reads lists of single words, such as `[["rollback", "undo"]]`. */
export const synonymGroups: ReadSetting<readonly (readonly string[])[]> = (value, at, report) => {
    if (value === undefined) {
        return undefined;
    }
    const groups = (Array.isArray(value) ? value : []).map((group: unknown) => {
        const words = (texts(group, at, report) ?? []).map((word) => word.trim().toLowerCase());
        return words.filter((word) => /^[\p{L}\p{N}]+$/u.test(word)).slice(0, maxWords);
    });
    const isWhole =
        Array.isArray(value) &&
        value.every(
            (group, index) => Array.isArray(group) && group.length === groups[index]?.length && group.length > 1,
        );
    if (!isWhole) {
        report(at, `${at} must be lists of two to ${maxWords} single words, such as [["rollback", "undo"]]`);
    }
    return groups.filter((group) => group.length > 1);
};
