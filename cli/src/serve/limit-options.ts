import { type LimitOptions, limitTable } from "@pulumi-static-export/service/limits";
import { Option } from "commander";
import { readCount, readSeconds } from "../command-line/options.js";

const units = { Seconds: "seconds", Megabytes: "megabytes", Days: "days" } as const;

/** The name of an option of the service as a flag. */
function flagOf(name: string): string {
    return name.replace("Megabytes", "Mb").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Declares the flags for the numeric options of the service. */
export function limitOptions(command: "serve" | "work"): readonly Option[] {
    return Object.entries(limitTable).flatMap(([name, limit]) => {
        if (!("flag" in limit) || !limit.flag.commands.some((each) => each === command)) {
            return [];
        }
        const [, unit = "count"] = Object.entries(units).find(([ending]) => name.endsWith(ending)) ?? [];
        const option = new Option(`--${flagOf(name)} <${unit}>`, limit.flag.help).argParser(
            unit === "seconds" ? readSeconds : readCount,
        );
        return "default" in limit ? option.default(limit.default) : option;
    });
}

/** Converts the parsed flags to the options of the service. */
export function readLimits(settings: object): LimitOptions {
    const values = new Map(Object.entries(settings));
    return Object.fromEntries(
        Object.keys(limitTable).map((name) => [
            name,
            values.get(name.replace("Megabytes", "Mb")) as number | undefined,
        ]),
    );
}
