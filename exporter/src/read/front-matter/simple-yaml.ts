import { copyString } from "../../text/strings.js";

const line = /^([A-Za-z][\w-]*): +(?:"([^"\\]*)"|'([^']*)'|(true|false)|([A-Za-z](?:[^\n#:]|:(?=\S)|(?<=\S)#)*))\s*$/;

/** Words that YAML does not read as text, whether they are values or keys. */
const notText = /^(?:null|true|false)$/i;

/**
 * Reads front matter that consists only of keys and plain values, as most front matter does. The YAML parser takes 40
 * times as long, which is a tenth of an export's time if one of 2000 pages has changed. Returns undefined for other
 * front matter.
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
        const value = double ?? single ?? word;
        values[key] = flag === undefined ? copyString(value ?? "") : flag === "true";
    }
    return values;
}
