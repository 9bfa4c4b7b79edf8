import { StaticExportError } from "./static-export-error.js";

/** A setting or argument was refused before any request. Never shows the key. */
export class InvalidSettingsError extends StaticExportError {
    /** The setting, such as `adminApiKey`. */
    readonly setting: string;

    /** @param problem - follows the name of the setting in the message, such as `must not be empty` */
    constructor(setting: string, problem: string) {
        super(`${setting} ${problem}`, `${setting} ${problem}`);
        this.setting = setting;
    }
}
