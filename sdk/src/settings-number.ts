import { InvalidSettingsError } from "./errors/index.js";

/**
 * The number, or the default when there is none.
 * @throws InvalidSettingsError when it is not finite or below `min`: NaN would make a wait endless, or a hot loop
 */
export function settingsNumber(setting: string, value: number | undefined, defaultValue: number, min: number): number {
    if (value !== undefined && !(Number.isFinite(value) && value >= min)) {
        throw new InvalidSettingsError(setting, `must be a finite number of at least ${min}, got ${value}.`);
    }
    return value ?? defaultValue;
}
