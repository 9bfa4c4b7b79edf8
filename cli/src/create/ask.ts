import { type CommonOptions, isCancel, select, text, updateSettings } from "@clack/prompts";
import { isDomain } from "@pulumi-static-export/contract";
import { InterruptedError } from "../command-line/interruption.js";
import { UsageError } from "../command-line/usage-error.js";
import { type Language, type Target } from "../init/project-files.js";
import { type CreateOptions, type Kind } from "./create-options.js";

interface Choice<T> {
    readonly value: T;
    readonly label: string;
    readonly hint?: string;
}

/**
 * Asks for the options that are missing, if there is a terminal. An option that is passed is never asked for.
 *
 * @param streams - for specs
 * @throws UsageError that names the missing option, without a terminal
 * @throws InterruptedError after Ctrl-C or Ctrl-D
 */
export async function completeOptions(
    options: CreateOptions,
    isTerminal: boolean,
    streams: CommonOptions = {},
): Promise<CreateOptions & { kind: Kind }> {
    // With Ctrl-D, the terminal's input ends, and a question would wait for an answer until the process ends.
    updateSettings({ aliases: { "\u0004": "cancel" } });
    const ask = async <T>(option: string, question: () => Promise<T | symbol>): Promise<T> => {
        if (!isTerminal) {
            throw new UsageError(`Pass ${option}: without a terminal, create cannot ask for it.`);
        }
        const answer = await question();
        if (isCancel(answer)) {
            throw new InterruptedError("SIGINT");
        }
        return answer as T;
    };
    const askChoice = <T extends string>(option: string, message: string, choices: readonly Choice<T>[]) =>
        // The library's type for choices depends on the type of their values, which is only known to the caller.
        ask<T>(option, () => select<string>({ ...streams, message, options: [...choices] }) as Promise<T | symbol>);
    const kind =
        options.kind ??
        (await askChoice<Kind>("--kind writer, --kind pulumi or --kind service", "What do you want to do?", [
            { value: "writer", label: "Write documentation", hint: "pages in a browser, without Pulumi" },
            { value: "pulumi", label: "Export a site with Pulumi" },
            { value: "service", label: "Run the service that exports sites" },
        ]));
    if (kind === "writer") {
        return { ...options, kind };
    }
    const askText = (option: string, message: string, placeholder: string, check: (value: string) => boolean) =>
        ask<string>(option, () =>
            text({
                ...streams,
                message,
                placeholder,
                defaultValue: placeholder,
                validate: (value = "") => (value === "" || check(value) ? undefined : `Write it as ${placeholder}.`),
            }),
        );
    const domain =
        options.domain ?? (await askText("--domain <name>", "Host name of the site?", "docs.example.com", isDomain));
    if (kind === "service" || !isTerminal) {
        return { ...options, kind, domain };
    }
    const language =
        options.language ??
        (await askChoice<Language>("--language", "Language of the program?", [
            { value: "typescript", label: "TypeScript" },
            { value: "yaml", label: "YAML" },
            { value: "python", label: "Python" },
        ]));
    const target =
        options.for ??
        (await askChoice<Target>("--for", "Where does the exported site go?", [
            { value: "export", label: "Only export it", hint: "the program gets a link to the archive" },
            { value: "bucket", label: "To a bucket" },
            { value: "cluster", label: "To a Kubernetes cluster" },
        ]));
    const isBucket = target === "bucket" && options.bucket === undefined;
    const bucket = isBucket
        ? await askText(
              "--bucket <name>",
              "Name of the existing bucket?",
              "docs-example-com",
              (name) => name.length > 2,
          )
        : options.bucket;
    return { ...options, kind, domain, language, for: target, ...(bucket === undefined ? {} : { bucket }) };
}
