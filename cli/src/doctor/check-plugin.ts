import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Examination } from "./examination.js";
import { error, type Finding, ok } from "./finding.js";
import { parseJson } from "./parse-json.js";

const check = "plugin";
const program = "pulumi-resource-static-export";

/**
 * Checks that Pulumi finds the plugin that programs in languages other than Node.js need: on the PATH, or installed.
 */
export async function checkPlugin({ env, run }: Examination): Promise<Finding> {
    const folder = (env["PATH"] ?? "").split(delimiter).find((each) => each !== "" && existsSync(join(each, program)));
    if (folder !== undefined) {
        return ok(check, `${program} in ${folder}`);
    }
    const plugins = parseJson<{ name: string; kind: string; version?: string }[]>(
        await run("pulumi", ["plugin", "ls", "--json"]),
    );
    const installed = plugins?.find(({ name, kind }) => name === "static-export" && kind === "resource");
    return installed === undefined
        ? error(
              check,
              `${program} is neither on the PATH nor installed`,
              "Write it with npm run plugin -- FOLDER in a checkout of pulumi-static-export, and put that folder on the PATH.",
          )
        : ok(check, `static-export ${installed.version ?? "?"}`);
}
