/** A phrase that readers stumble over, and its replacement. */
interface Habit {
    readonly pattern: RegExp;
    readonly advice: string;
    /** Examples for the pattern's spec: phrases that it must find, and correct uses that it must not find. */
    readonly found: readonly string[];
    readonly leftAlone: readonly string[];
}

/** The one list of phrases that `npm run lint` rejects in new comments, Markdown and spec titles. */
export const habits: readonly Habit[] = [
    {
        pattern: /\bst(?:ands?|ood|anding)\b(?!-)(?! (?:for|alone|by|in for)\b)/i,
        advice: 'say "is", "is written" or "is in"',
        found: ["The key stands in the message.", "what stood there", "a value standing in a list"],
        leftAlone: ["A stand-in answers.", "`x` stands for any character.", "The packages stand alone.", "stand-alone"],
    },
    {
        pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b|doubt\b|matter\b)\w/i,
        advice: 'say "is not a …", or begin with "no"',
        found: ["A rotated key is no difference.", "Templates are no YAML."],
        leftAlone: ["There is no backup.", "The job is no longer running.", "where there was no key", "It is no more."],
    },
    {
        pattern: /\bbeside\b/i,
        advice: 'say "next to", "besides" or "as well as"',
        found: ["a file beside the database", "Beside Argo CD"],
        leftAlone: ["Besides its packages, it needs the command.", "two pages side by side"],
    },
    {
        pattern:
            /\bof (?:its|their|his|her|our|your|one's) own(?=\W*$|[.,;:)]| (?:and|or|that|which|where|with|in|for|to|on|at|is|are|has|by|whose)\b)/i,
        advice: 'say "its own …", "separate", or leave it out',
        found: ["at an address of its own", "in processes of their own"],
        leftAlone: ["its own address", "the size of its own text", "a copy of their own files"],
    },
    {
        pattern: /\bthat which\b|^What (?!(?:is|are|does|do|did|was|were|changes?|changed|happens|happened)\b)[^?|#]*$/,
        advice: "begin with the noun that the clause describes",
        found: ["What tells the processes of runs from others.", "It takes that which is left."],
        leftAlone: ["What happens next?", "What does it cost?", "It says what changes.", "What is replaced"],
    },
    {
        pattern: /\b(?:be|been|being|is|are|was|were) had\b/i,
        advice: 'say "is available" or "can be read"',
        found: ["It cannot be had where it is."],
        leftAlone: ["It has had two attempts."],
    },
    {
        pattern: /\b(?:be|been|is|are|was|were) told\b(?! apart\b)|\btells? of\b/i,
        advice: 'say "report", "log", "show" or "name"',
        found: ["The page is told itself.", "The log tells of it."],
        leftAlone: ["Two runs are told apart by their ids.", "The report tells reviewers what a merge exports."],
    },
    {
        pattern: /\bkept (?:pages?|values?|answers?)\b/i,
        advice: 'say "cached"',
        found: ["Kept pages have it, too."],
        leftAlone: ["The log is kept for 90 days."],
    },
    {
        pattern: /\bleaves? with (?:the )?(?:status|code|\d)/i,
        advice: 'say "exits with"',
        found: ["The command leaves with status 1.", "It leaves with 2."],
        leftAlone: ["The command exits with 1.", "The reader leaves with the page open."],
    },
    {
        pattern: /\bmend(?:s|ed|ing)?\b/i,
        advice: 'say "fix" or "repair"',
        found: ["It mends the table."],
        leftAlone: ["An amendment is recommended."],
    },
    {
        pattern: /\bwho(?:m|so)?ever\b/i,
        advice: 'name the actor, or say "anyone who"',
        found: ["Whoever may push can read it."],
        leftAlone: ["Anyone who may push can read it."],
    },
    {
        pattern: /\bhurts?\b/i,
        advice: "say what goes wrong",
        found: ["because a second pull request hurts"],
        leftAlone: ["a second pull request would confuse reviewers"],
    },
    {
        pattern: /\bin clear\b(?! (?:text|view|terms)\b)/i,
        advice: 'say "in plain text"',
        found: ["A key in clear is reported."],
        leftAlone: ["The text is in plain text.", "It says so in clear terms."],
    },
    {
        pattern: /\banew\b/i,
        advice: 'say "again"',
        found: ["It signs the link anew."],
        leftAlone: ["It signs a new link again."],
    },
    {
        pattern: /\b(?:leads?|led) on\b/i,
        advice: 'say "redirect"',
        found: ["Old addresses lead on to new ones."],
        leftAlone: ["Old addresses redirect to new ones.", "The link leads only to one page."],
    },
    {
        pattern: /(?<!by )\bhand(?:s|ed|ing)? (?:it|them|over|out|on)\b/i,
        advice: 'say "pass" or "return"',
        found: ["The run hands over its result.", "It hands them to the chart."],
        leftAlone: ["A hand-written list.", "It is run by hand on Linux."],
    },
    {
        pattern: /\bhalf-made\b/i,
        advice: 'say "half-installed", "half-built" or "incomplete"',
        found: ["It leaves nothing half-made."],
        leftAlone: ["It leaves nothing incomplete."],
    },
    {
        pattern: /\bin vain\b|\bfrom before\b/i,
        advice: 'say what is missing, or "earlier"',
        found: ["A page that the navigation names in vain", "a copy from before"],
        leftAlone: ["A missing navigation page", "an earlier copy"],
    },
];
