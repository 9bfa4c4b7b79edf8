const line = /^([A-Za-z][\w-]*): +(?:"([^"\\]*)"|'([^']*)'|(true|false)|([A-Za-z](?:[^\n#:]|:(?=\S)|(?<=\S)#)*))\s*$/;

/** Words that YAML does not read as text, neither as values nor as keys. */
const notText = /^(?:null|true|false)$/i;

/**
 * Reads front matter that consists only of keys and plain values, which is the usual case: the YAML parser takes 40
 * times as long, which is a tenth of the time of an export of 2000 pages after one page has changed. Undefined for
 * other front matter.
 */
export function parseSimpleYaml(yaml: string): Record<string, unknown> | undefined {
    const values: Record<string, unknown> = {};
    for (const text of yaml.split(/\r?\n/)) {
        const found = line.exec(text);
        const [, key, double, single, flag, plain] = found ?? [];
        if (key === undefined || Object.hasOwn(values, key) || key === "__proto__" || notText.test(key)) {
            return undefined;
        }
        const word = plain?.trimEnd();
        if (word !== undefined && notText.test(word)) {
            return undefined;
        }
        values[key] = flag === undefined ? (double ?? single ?? word) : flag === "true";
    }
    return values;
}
