import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "../command-line/usage-error.js";

const browserVariable = "STATIC_EXPORT_CHROMIUM";

const names: Partial<Record<NodeJS.Platform, readonly string[]>> = { win32: ["chrome.exe", "msedge.exe"] };
const otherNames = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/** Paths of browsers whose installers do not add them to PATH. */
function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string[] {
    switch (platform) {
        case "darwin":
            return ["Chromium", "Google Chrome", "Microsoft Edge"].map(
                (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
            );
        case "win32":
            return [env["PROGRAMFILES"], env["PROGRAMFILES(X86)"], env["LOCALAPPDATA"]].flatMap((folder) =>
                folder === undefined
                    ? []
                    : [
                          join(folder, "Google", "Chrome", "Application", "chrome.exe"),
                          join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
                      ],
            );
        default:
            return ["/usr/bin/chromium", "/snap/bin/chromium", "/opt/google/chrome/chrome"];
    }
}

/** The system that is searched. */
interface BrowserSearch {
    readonly platform?: NodeJS.Platform;
    readonly exists?: (path: string) => boolean;
}

/**
 * The executable of Chromium or a browser based on it: the given one, or an installed one. Never downloads a browser.
 *
 * @param given the value of the option
 * @throws UsageError
 */
export function findBrowser(
    given: string | undefined,
    env: NodeJS.ProcessEnv,
    { platform = process.platform, exists = existsSync }: BrowserSearch = {},
): string {
    const set = given ?? (env[browserVariable] || undefined);
    if (set !== undefined) {
        if (!exists(set)) {
            const source = given === undefined ? browserVariable : "--browser";
            throw new UsageError(`${source}: there is no program ${set}. Give the path of Chromium or Chrome.`);
        }
        return set;
    }
    const onPath = (env["PATH"] ?? "")
        .split(delimiter)
        .filter((folder) => folder !== "")
        .flatMap((folder) => (names[platform] ?? otherNames).map((name) => join(folder, name)));
    const found = [...onPath, ...usualPlaces(platform, env)].find((path) => exists(path));
    if (found === undefined) {
        throw new UsageError(
            "A PDF needs Chromium, Chrome or Edge, and none was found: install one (Debian: apt-get install chromium), " +
                `or give its path with --browser or ${browserVariable}. Nothing is downloaded.`,
        );
    }
    return found;
}
