import { type OptionSpec, optionTable, type ServiceCommand } from "@pulumi-static-export/service/options";
import { type Command, InvalidArgumentError, Option } from "commander";

/** A command's flags for the options of the service. Their values have the names of the options. */
export function serviceFlags(command: ServiceCommand): readonly Option[] {
    return Object.entries<OptionSpec>(optionTable).flatMap(([name, { flag, help, env, read, ...spec }]) => {
        // A text without commands is for those that run jobs.
        const text = typeof help !== "string" ? help?.[command] : command === "migrate" ? undefined : help;
        if (flag === undefined || text === undefined) {
            return [];
        }
        const option = new Option(flag, text).default(spec.default, spec.defaultText);
        option.attributeName = () => name;
        if (env !== undefined) {
            option.env(env);
        }
        return read === undefined ? option : option.argParser(withUsageErrors(read));
    });
}

function withUsageErrors(read: NonNullable<OptionSpec["read"]>) {
    return (text: string, earlier: unknown): unknown => {
        try {
            return read(text, earlier as never);
        } catch (error) {
            throw new InvalidArgumentError((error as Error).message);
        }
    };
}

/** Ends the command with wrong usage if neither the option nor the variable is given. */
export function expectDatabase({ database }: { database?: string | undefined }, command: Command): string {
    return database ?? command.error("error: no database: give --database or set STATIC_EXPORT_DATABASE_URL");
}
