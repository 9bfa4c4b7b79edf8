import { defaultSettings, publishRules } from "@pulumi-static-export/sdk/publish";
import { Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import {
    clientNotes,
    clientOptions,
    jsonOption,
    matching,
    siteArgument,
    wholeNumberIn,
} from "../command-line/options.js";
import { cdnOptions } from "../publish/cdn-options.js";
import { ownerOption, placeText, storageNotes, targetOptions } from "../publish/open-target.js";
import { type PublishOptions } from "../publish/run-publish.js";

/** Publishes a site to a host that only serves files. */
export const publishCommand: CliCommand = {
    name: "publish",
    summary: "Publish a site to a bucket or a folder that a web server serves: send what has changed, then switch.",
    arguments: [siteArgument("", "[site]")],
    options: [
        new Option("--to <place>", placeText).makeOptionMandatory(),
        ...targetOptions(),
        ownerOption(),
        new Option(
            "--adopt",
            "replace files of the same name that the site did not write, also after a list of the site's files was " +
                "lost, or another site at this place",
        ).default(false),
        new Option(
            "--all-files",
            "publish hidden files, node_modules and private keys, too; otherwise, they are left out and listed",
        ).default(false),
        new Option(
            "--trust-record",
            "believe the site's record instead of listing the place, unless there are new files",
        ).default(false),
        new Option("--cache-control <value>", "Cache-Control of files whose name does not change with their content")
            .argParser(matching(publishRules.cacheControl))
            .default(defaultSettings.cacheControl),
        new Option(
            "--addresses <how>",
            "how the host finds /start: by its own rules (files), by a second object for each page (objects), or by " +
                "the files _redirects and _headers (rules)",
        )
            .choices(publishRules.addresses)
            .default(defaultSettings.addresses),
        new Option("--switching <how>", "replace file by file, or put each release into a folder and switch to it")
            .choices(publishRules.switching)
            .default(defaultSettings.switching),
        new Option(
            "--access <how>",
            "edge: the site may have private pages, because the host enforces access.json",
        ).choices(publishRules.access),
        new Option(
            "--keep <count>",
            "how many earlier releases --to-release can make live again (default: the number of the last publish, at first 0)",
        ).argParser(wholeNumberIn(publishRules.keep)),
        new Option(
            "--to-release <id>",
            "make this release live again instead of publishing a site; static-export releases lists the ids",
        ),
        new Option(
            "--grace-seconds <seconds>",
            "how long files that no release needs stay (0: removes them at once, with those of earlier runs; with --switching releases, those of the last release in the next run)",
        )
            .argParser(wholeNumberIn(publishRules.graceSeconds))
            .default(defaultSettings.graceSeconds),
        ...cdnOptions(),
        new Option("--dry-run", "list what would be written and removed, and do nothing").default(false),
        ...clientOptions,
        jsonOption("what was done"),
    ],
    exitCodes: {
        0: "published, or nothing has changed",
        1:
            "the site or its destination was rejected, or the storage or the CDN failed; after a failure of the " +
            "storage or the CDN, run the command again to continue",
        5: "a job's bundle could not be fetched",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes: `${clientNotes} The address and the key are needed only for ids of jobs. ${storageNotes}`,
    examples: [
        "static-export publish site --to s3://docs-example-com --keep 3",
        "static-export publish se_42 --to s3://docs/handbook",
        "static-export publish site --to 'az://$web' --bucket-endpoint https://ACCOUNT.blob.core.windows.net",
        "static-export publish site.tar.gz --to file:///srv/docs --dry-run",
        "static-export publish --to s3://docs-example-com --to-release 4f2a9c1e07bd",
    ],
    run: async (site: string | undefined, options: PublishOptions) =>
        // The module is imported here, because few commands need it.
        (await import("../publish/run-publish.js")).runPublish(site, options),
};
