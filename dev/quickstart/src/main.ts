import { parseArgs } from "node:util";
import { runQuickstart } from "./quickstart.js";

const help = `npm run quickstart -- [options]

Runs one static export of this project's documentation on this machine, from \`pulumi up\` to the served site.

  --version X   label of the export; a new label exports again and replaces the live site (default: the last label)
  --exit        check that the pages of the served site answer, stop everything and exit
  --kubernetes  serve it from Kubernetes (on Linux): kind where Docker runs, else a local cluster (as root) that is built
                the first time, in about a quarter of an hour
  --bucket      publish two releases to a bucket on this machine, and go back to the first (on Debian, with nginx)
  --reset       forget the earlier runs first
  --help        show this text

Besides Node.js, it needs the pulumi command-line tool. It uses the one on PATH, or else the official download, or else
builds one with Go. It stores everything else in .quickstart/ of this checkout.
`;

/**
 * Runs the command line and sets the exit code. Ctrl-C stops everything that the command started; a second Ctrl-C exits
 * immediately.
 */
export async function main(args: string[]): Promise<void> {
    let options;
    try {
        options = parseArgs({
            args,
            options: {
                version: { type: "string" },
                exit: { type: "boolean", default: false },
                kubernetes: { type: "boolean", default: false },
                bucket: { type: "boolean", default: false },
                reset: { type: "boolean", default: false },
                help: { type: "boolean", default: false },
            },
        }).values;
    } catch (error) {
        console.error(`${(error as Error).message}\n\n${help}`);
        process.exitCode = 2;
        return;
    }
    if (options.help) {
        console.log(help);
        return;
    }
    const stop = new AbortController();
    const onSignal = () => {
        if (stop.signal.aborted) {
            process.exit(130);
        }
        console.log("\nStopping …");
        stop.abort(new Error("stopped"));
    };
    process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
    try {
        await runQuickstart({ ...options, signal: stop.signal });
    } catch (error) {
        process.exitCode = 1;
        if (stop.signal.aborted) {
            process.exitCode = 130;
        } else {
            console.error(`\n${error instanceof Error ? error.message : String(error)}`);
        }
    } finally {
        process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    }
}
