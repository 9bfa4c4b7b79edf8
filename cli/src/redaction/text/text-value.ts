/** A value inside a text, such as a member of a JSON object or an assignment in a script. */
export interface TextValue {
    readonly start: number;
    readonly end: number;
    /** The key, variable or option that names the value. */
    readonly name: string;
    readonly text: string;
    /** Whether the value's place shows that it is a secret. */
    readonly isSecret: boolean;
    /** Writes another text in the format of the value's place. */
    readonly encode: (text: string) => string;
}

export const asItIs = (text: string): string => text;
