package main

import (
	"runtime/debug"

	"github.com/alecthomas/kong"
	"github.com/daybook-agent/daybook/actions/mcp"
)

const description = "Daybook researches a question on its own and keeps everything it knows in a folder of Markdown that you can read and change at any moment."

// cli is the command line, as kong reads it.
type cli struct {
	Version kong.VersionFlag `help:"Print the version and exit."`

	Run        runCommand        `cmd:"" help:"Research a question, or go on with a research."`
	Status     statusCommand     `cmd:"" help:"Tell how a research stands."`
	Log        logCommand        `cmd:"" help:"Tell what happened in a research, step by step, or show its dashboards as they stood."`
	Restore    restoreCommand    `cmd:"" help:"Put the dashboards, or a file, back as they stood after a step."`
	Replay     replayCommand     `cmd:"" help:"Run a research again from its record, without network and model, and compare the files."`
	Export     exportCommand     `cmd:"" help:"Make a file of the report, or of its sources, to take away."`
	Verify     verifyCommand     `cmd:"" help:"Compare what a report cites with its sources, by code and by the judgements on record."`
	Doctor     doctorCommand     `cmd:"" help:"Try the model, the search providers and the folder, and say what to do about what fails."`
	Bench      benchCommand      `cmd:"" help:"Measure how far a model can be trusted as evaluator of reports or checker of claims."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Serve researches to assistants as tools, over MCP."`
	Completion completionCommand `cmd:"" help:"Print a script by which a shell completes commands and flags, such as: source <(daybook completion bash)"`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
	Print      versionCommand    `cmd:"" name:"version" help:"Print the version."`
	Help       helpCommand       `cmd:"" help:"Describe a command."`
}

type runCommand struct {
	Dir      string   `kong:"-"`
	placed   bool     // the user was asked where it goes, and about the files there
	Folder   *string  `arg:"" optional:"" name:"dir" help:"The folder of the research; created if need be (default: a new one, named after the question)."`
	Question string   `kong:"-"`
	Asked    *string  `name:"question" short:"q" placeholder:"TEXT" help:"What to research; a new folder needs one, and at a terminal it is asked for."`
	Purpose  string   `placeholder:"TEXT" help:"What the answer is for."`
	Settings settings `embed:""`
	Here     bool     `help:"Put the research among the files of the folder, also if they are none of its own (default: into daybook/ below it)."`
	Refresh  bool     `help:"Look again at the sources of the finished research, tell what changed, and have the claims worked on that rest on it."`
	Plan     bool     `help:"Show the plan of chapters before the work begins, to be accepted, edited or refused."`
	Attended bool     `hidden:"" help:"Ask on the dashboard, for the client of daybook mcp that began this."`
	NoInput  bool     `help:"Ask nothing: what is not clear is assumed, and said in the brief."`

	TrustSettings bool `help:"Agree to what the folder's daybook.yaml sends, reads or allows. It is shown, and asked again when it changes."`

	Verbose bool `short:"v" help:"Show queries, results and the file agent's work."`
	JSON    bool `name:"json" help:"Print each event as a line of JSON on stdout; the last one names the report."`
}

type statusCommand struct {
	JSON bool `name:"json" help:"Print the status as JSON."`
	looking
}

type doctorCommand struct {
	Dir           string `arg:"" name:"dir" optional:"" help:"The folder of a research, whose settings are taken too."`
	modelFlags    `embed:""`
	Search        []string `env:"DAYBOOK_SEARCH" placeholder:"NAME" help:"As for run."`
	TrustSettings bool     `help:"As for run."`
	Offline       bool     `help:"Ask no server: look at this machine and the folder alone."`
	JSON          bool     `name:"json" help:"Print the findings as JSON."`
	spoken
}

// settings are the flags that can also be set in the environment or in daybook.yaml. A nil field or empty
// list was not given. Their tags say what else holds of them: the range of a number, with a value outside it
// that means none; the choice of words; what a new research keeps, always or if a model thinks; and whether
// a stranger's file may set it, in consent.go.
type settings struct {
	Docs             []string                  `yaml:"docs" sep:"none" placeholder:"PATH" help:"A folder or file of your own documents to search; may be given again ($$DAYBOOK_DOCS, a list like $$PATH)."`
	Search           []string                  `yaml:"search" keep:"always" env:"DAYBOOK_SEARCH" placeholder:"NAME" help:"Where to search beside your documents: kinds (web, scholarly, code, talk, reference), providers by name, all, or none (default all; none for the built-in brain when documents are given)."`
	SearchBreadth    *int                      `yaml:"search-breadth" range:"1 20" free:"yes" env:"DAYBOOK_SEARCH_BREADTH" placeholder:"N" help:"Queries that one search may hold, 1 to 20 (default 5)."`
	SearchParallel   *int                      `yaml:"search-parallel" range:"1 32" free:"yes" env:"DAYBOOK_SEARCH_PARALLEL" placeholder:"N" help:"Questions to search services under way at one time (default 8)."`
	Brain            *string                   `yaml:"brain" choice:"auto openai clip" free:"yes" env:"DAYBOOK_BRAIN" placeholder:"NAME" help:"auto, openai, or clip: the built-in one that needs no model. auto is openai when a provider, a key or a base URL is set or a model server runs on this machine, else clip."`
	Provider         *string                   `yaml:"provider" choice:"${providers}" env:"DAYBOOK_PROVIDER" placeholder:"NAME" help:"Whose models: ${providers} (default: the one whose key is set)."`
	Model            *string                   `yaml:"model" keep:"model" env:"DAYBOOK_MODEL" placeholder:"NAME" help:"The model (default ${model}, or one of the provider's); NAME@PROVIDER is that of another, here and below."`
	FileModel        *string                   `yaml:"file-model" keep:"model" env:"DAYBOOK_FILE_MODEL" placeholder:"NAME" help:"The file agent's model (default: the same)."`
	ReaderModel      *string                   `yaml:"reader-model" keep:"model" env:"DAYBOOK_READER_MODEL" placeholder:"NAME" help:"The model that picks passages out of pages (default: the file agent's)."`
	FallbackModel    *string                   `yaml:"fallback-model" keep:"model" env:"DAYBOOK_FALLBACK_MODEL" placeholder:"NAME" help:"A model to ask while another is down (default: none)."`
	BaseURL          *string                   `yaml:"base-url" placeholder:"URL" help:"A server that speaks OpenAI's protocol ($$OPENAI_BASE_URL; default: the provider's). Its key is read from $$OPENAI_API_KEY, or the provider's variable, alone."`
	Local            *bool                     `yaml:"local" free:"yes" env:"DAYBOOK_LOCAL" hidden:""`
	MaxParallel      *int                      `yaml:"max-parallel" range:"0" keep:"model" free:"yes" env:"DAYBOOK_MAX_PARALLEL" hidden:""`
	RequestsPerMin   *int                      `yaml:"requests-per-minute" range:"0" keep:"model" free:"yes" name:"requests-per-minute" env:"DAYBOOK_REQUESTS_PER_MINUTE" hidden:""`
	TokensPerMin     *int                      `yaml:"tokens-per-minute" range:"0" keep:"model" free:"yes" name:"tokens-per-minute" env:"DAYBOOK_TOKENS_PER_MINUTE" hidden:""`
	EmbedModel       *string                   `yaml:"embed-model" keep:"model" env:"DAYBOOK_EMBED_MODEL" placeholder:"NAME" help:"A model of the server's that ranks what was found by meaning (default: none)."`
	Window           *int                      `yaml:"window" range:"2048" none:"0" keep:"model" free:"yes" env:"DAYBOOK_WINDOW" placeholder:"TOKENS" help:"Tokens that the model takes in one request, its reply included (default: what the server says)."`
	Stream           *bool                     `yaml:"stream" free:"yes" env:"DAYBOOK_STREAM" hidden:""`
	MaxSteps         *int                      `yaml:"max-steps" range:"1" env:"DAYBOOK_MAX_STEPS" placeholder:"N" help:"Steps that this run may take (default 100)."`
	Parallel         *int                      `yaml:"parallel" range:"1 12" free:"yes" env:"DAYBOOK_PARALLEL" placeholder:"N" help:"Chapters researched side by side, each by an agent of its own (default 3 for the profile exhaustive, otherwise one after the other)."`
	Stretch          *int                      `yaml:"stretch" range:"6000" none:"0" free:"yes" env:"DAYBOOK_STRETCH" placeholder:"N" help:"Tokens of history after which the researcher writes down what it has and clears its memory (default 24000; 0 is no bound)."`
	MaxTokens        *int                      `yaml:"max-tokens" range:"0" free:"yes" env:"DAYBOOK_MAX_TOKENS" placeholder:"N" help:"Tokens, in and out, that this run may use (default: no limit)."`
	MaxCost          *float64                  `yaml:"max-cost" range:"0" free:"yes" env:"DAYBOOK_MAX_COST" placeholder:"USD" help:"US dollars that this run may cost, by the prices in daybook.yaml or as the server says (default: no limit)."`
	MaxMinutes       *int                      `yaml:"max-minutes" range:"0" free:"yes" env:"DAYBOOK_MAX_MINUTES" placeholder:"N" help:"Minutes that this run may work (default: no limit)."`
	Lang             *string                   `yaml:"lang" choice:"zh en" keep:"always" free:"yes" env:"DAYBOOK_LANG" placeholder:"zh|en" help:"The language of the screen and the report: zh or en (default: that of the question)."`
	Profile          *string                   `yaml:"profile" keep:"always" free:"yes" env:"DAYBOOK_PROFILE" placeholder:"NAME" help:"The kind of report: brief, standard, exhaustive, or one of your own in daybook.yaml (default standard)."`
	Mode             *string                   `yaml:"mode" choice:"adaptive fixed" keep:"always" free:"yes" env:"DAYBOOK_MODE" placeholder:"NAME" help:"adaptive: rounds until the report is good enough; fixed: so many, judged by nobody (default adaptive)."`
	Rounds           *int                      `yaml:"rounds" range:"1 10" keep:"always" free:"yes" env:"DAYBOOK_ROUNDS" placeholder:"N" help:"Rounds at most, or in mode fixed exactly, 1 to 10 (default 5, or 2 in mode fixed)."`
	MinRounds        *int                      `yaml:"min-rounds" keep:"always" free:"yes" env:"DAYBOOK_MIN_ROUNDS" placeholder:"N" help:"Rounds at least (default 1)."`
	Quality          *float64                  `yaml:"quality" range:"1 10" keep:"always" free:"yes" env:"DAYBOOK_QUALITY" placeholder:"SCORE" help:"The score, 1 to 10, from which a report is good enough (default 7)."`
	Harsh            *bool                     `yaml:"harsh" keep:"always" free:"yes" env:"DAYBOOK_HARSH" help:"Have the report opposed before it is done, whatever its profile says, and again after its answers."`
	Improvement      *float64                  `yaml:"improvement" range:"-9 9" keep:"always" free:"yes" env:"DAYBOOK_IMPROVEMENT" placeholder:"POINTS" help:"How much better than the round before a round must be for another to follow (default 0.5)."`
	JudgingCost      *float64                  `yaml:"judging-cost" range:"0 1000" keep:"always" free:"yes" env:"DAYBOOK_JUDGING_COST" placeholder:"PERCENT" help:"What judging may cost, in percent of the rest of the research, before reports are compared once and not in both orders (default 10; 0 is no bound)."`
	CheckerModel     *string                   `yaml:"checker-model" keep:"model" env:"DAYBOOK_CHECKER_MODEL" placeholder:"NAME" help:"The model that judges claims against their passages (default: the one that judges)."`
	JudgeTemperature *float64                  `yaml:"evaluator-temperature" range:"0 2" keep:"always" free:"yes" env:"DAYBOOK_EVALUATOR_TEMPERATURE" placeholder:"T" help:"The temperature of those who judge (default 0.3)."`
	JudgeEffort      *string                   `yaml:"evaluator-effort" choice:"minimal low medium high" keep:"always" free:"yes" env:"DAYBOOK_EVALUATOR_EFFORT" placeholder:"NAME" help:"The reasoning effort of those who judge: low, medium or high (default: the model's own)."`
	EvaluatorModel   *string                   `yaml:"evaluator-model" keep:"model" env:"DAYBOOK_EVALUATOR_MODEL" placeholder:"NAME" help:"The model that judges (default: the researcher's)."`
	Intake           *bool                     `yaml:"intake" free:"yes" env:"DAYBOOK_INTAKE" negatable:"" help:"Judge first whether the question is clear enough (default: yes)."`
	IntakeModel      *string                   `yaml:"intake-model" keep:"model" env:"DAYBOOK_INTAKE_MODEL" placeholder:"NAME" help:"The model that does (default: the researcher's)."`
	AllowPrivate     *bool                     `yaml:"allow-private" env:"DAYBOOK_ALLOW_PRIVATE" help:"Read pages on this machine and in private networks too."`
	Shell            *bool                     `yaml:"shell" env:"DAYBOOK_SHELL" help:"Let the file agent run command lines that read the folder: grep, sort, find and the like."`
	Browser          *browserChoice            `yaml:"browser" env:"DAYBOOK_BROWSER" help:"Have pages that need a browser opened in Chromium, Chrome or Edge, if one is found ($$CHROME_PATH names another), or in one that runs: --browser=http://127.0.0.1:9222."`
	AnyURL           *bool                     `yaml:"any-url" env:"DAYBOOK_ANY_URL" hidden:""`
	Prices           map[string]price          `kong:"-" yaml:"prices"`
	Profiles         map[string]map[string]any `kong:"-" yaml:"profiles" free:"yes"`
	MCP              map[string]mcp.Server     `kong:"-" yaml:"mcp"`
}

// example ends the output of -h: a session as it really ran; … marks lines left out.
const example = `
Example:
  $ daybook run -q "How does a journal survive a crash?" --docs notes crash
  thinking with the built-in brain, which quotes and adds nothing; …
  indexed 1 document
  step 1  searched  "journal survive crash"
  step 2  read  [s1] The journal
  …
  step 12  handed in  report.md
  finished after 12 steps · not judged · no tokens · 0:00
  crash/report.md

  $ daybook status crash
  How does a journal survive a crash?

  state     finished
  …
`

// version returns the module's version, or the commit it was built from, as recorded in the build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "daybook (devel)"
	}
	return "daybook " + info.Main.Version
}
