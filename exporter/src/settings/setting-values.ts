import { isRecord } from "../text/json-values.js";

export interface LightAndDark {
    readonly light: string;
    readonly dark: string;
}

/** Reads single values of settings: one that is not as it should be is left out and reported. */
export class SettingValues {
    readonly report: (reason: string) => undefined;

    constructor(report: (reason: string) => undefined) {
        this.report = report;
    }

    text(record: Readonly<Record<string, unknown>>, key: string, at = key): string | undefined {
        const value = record[key];
        if (value === undefined || value === null) {
            return undefined;
        }
        return typeof value === "string" ? value : this.report(`${at} must be a string`);
    }

    /** The value becomes part of every page's style: nothing but a colour may pass. */
    color(colors: Readonly<Record<string, unknown>>, key: string, at: string): string | undefined {
        const value = this.text(colors, key, `${at}.${key}`);
        if (value !== undefined && !/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(value)) {
            return this.report(`${at}.${key} must be a colour such as #0d6e6e, got ${value.slice(0, 40)}`);
        }
        return value;
    }

    /** A picture, or one for light and one for dark surroundings. */
    pair(value: unknown, at: string): LightAndDark | undefined {
        if (!isRecord(value)) {
            const both = this.text({ value }, "value", at);
            return lightAndDark(both, both);
        }
        const light = this.text(value, "light", `${at}.light`);
        const dark = this.text(value, "dark", `${at}.dark`);
        return lightAndDark(light, dark);
    }
}

/** One of two is for both surroundings. */
export function lightAndDark(light: string | undefined, dark: string | undefined): LightAndDark | undefined {
    const either = light ?? dark;
    return either === undefined ? undefined : { light: light ?? either, dark: dark ?? either };
}
