/** The properties of a stream that decide how to format its output. */
export interface Terminal {
    isTTY?: boolean;
}

const codes = { red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Whether lines can be overwritten. */
export function isInteractive({ isTTY }: Terminal, env: NodeJS.ProcessEnv): boolean {
    return isTTY === true && env["TERM"] !== "dumb";
}

/** Colours text if the terminal supports it and `NO_COLOR` is not set. */
export function paint(text: string, color: keyof typeof codes, terminal: Terminal, env: NodeJS.ProcessEnv): string {
    return isInteractive(terminal, env) && !env["NO_COLOR"] ? `\u001b[${codes[color]}m${text}\u001b[39m` : text;
}
