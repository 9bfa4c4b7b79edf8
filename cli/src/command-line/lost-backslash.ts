/**
 * A note on a command that failed, if its words look like this fault: Windows PowerShell passes a path such as
 * 'C:\my docs\' with a quote instead of the backslash at its end, and then may join it with the words after it. Paths
 * on Windows have no quotes.
 */
export function noteOnLostBackslash(
    words: readonly string[],
    platform: NodeJS.Platform = process.platform,
): string | undefined {
    const word = platform === "win32" ? words.find((each) => each.includes('"')) : undefined;
    return (
        word && `note: This command received the word ${word}. Leave out the backslash at the end of a path in quotes.`
    );
}
