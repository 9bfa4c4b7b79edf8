import { StaticExportError } from "./static-export-error.js";

/** A setting or argument is refused before any request is made. Never shows the value of the key. */
export class InvalidSettingsError extends StaticExportError {
    /** The setting, such as `adminApiKey`. */
    readonly setting: string;

    /** @param problem - continues the name of the setting, such as `must not be empty` */
    constructor(setting: string, problem: string) {
        super(`${setting} ${problem}`, `${setting} ${problem}`);
        this.setting = setting;
    }
}
