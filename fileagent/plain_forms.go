package fileagent

import (
	"regexp"
	"strconv"
	"strings"
)

// forms are all plain requests, in English and in Chinese. Words in [ ] do not matter; a form says one thing
// only.
var forms = []form{
	// reading
	{
		`(?:read|show|open|print|view|display)(?: me)?(?: (?:the|all of ` +
			`the))?(?: (?:whole|full|entire))?(?: ` +
			`(?:files?|chapters?|text of|contents? of))?(?: the files?)? {files}(?: ` +
			`(?:in full|whole|completely))?`, call("read_file path={files}")},
	{
		`(?:读取|阅读|查看|打开|显示|读一下|看一下)(?:文件|章节)?\s*{files}\s*(?:的)?(?:全部|完整|` +
			`所有)?(?:内容|全文)?`, call("read_file path={files}")},
	{`(?:read|show)(?: the)? lines? {from}(?: ?(?:-|–|to) ?{last})? (?:of|from|in) {file}`,
		call("read_file path={file} mode=lines lines={from}-{last}")},
	{`(?:read|show) {file},? \(?lines? {from}(?: ?(?:-|–|to) ?{last})?\)?`,
		call("read_file path={file} mode=lines lines={from}-{last}")},
	{
		`(?:读取|查看|显示|阅读)\s*{file}\s*的?\s*第?\s*{from}(?:\s*(?:-|` +
			`–|到|至)\s*第?\s*{last})?\s*行(?:的?内容)?`,
		call("read_file path={file} mode=lines lines={from}-{last}")},
	{`(?:read|show)(?: the)?(?: whole)? section {quoted} (?:of|from|in) {file}`,
		call("read_file path={file} section={quoted}")},
	{`(?:read|show) the {quoted} section (?:of|from|in) {file}`,
		call("read_file path={file} section={quoted}")},
	{`(?:read|show) {file},? (?:the )?section {quoted}`, call("read_file path={file} section={quoted}")},
	{
		`(?:读取|查看|显示|阅读)\s*{file}\s*(?:中|里)?的?\s*{quoted}\s*(?:一节|这一节|章节|小节|` +
			`部分)(?:的?内容)?`, call("read_file path={file} section={quoted}")},
	{`(?:outline|(?:read|show|list)(?: me)?(?: the)? (?:outline|headings) (?:of|in)) {file}`,
		call("outline path={file}")},
	{`(?:列出|显示|查看)\s*{file}\s*的?(?:大纲|标题|目录结构)`, call("outline path={file}")},
	{`(?:continue|go on with)(?: the)? (?:stream|stream_id|reading stream) {quoted}`,
		call("continue_stream_read stream_id={quoted}")},
	{`继续读取(?:流)?\s*{quoted}`, call("continue_stream_read stream_id={quoted}")},
	{`list(?: the)?(?: (?:files|entries|contents?))?(?: (?:of|in))?(?: the (?:folder|directory))? ` +
		`{folder}(?: (?:folder|directory))?`, call("list_directory path={folder}")},
	{`list(?: all)?(?: the)? files(?: in the workspace)?`, call("list_directory path=.")},
	{`列出\s*{folder}\s*(?:文件夹|目录)?(?:下|中|里)?(?:的)?(?:所有|全部)?(?:文件|内容)?`,
		call("list_directory path={folder}")},
	{`列出(?:所有|全部)文件`, call("list_directory path=.")},
	// searching
	{`search(?: (?:the )?(?:files? (?:in )?|folder ))?(?: ?in)? ?{place} for(?: the)? {re}{quoted}`,
		searchSteps},
	{`(?:search for|find|grep(?: for)?|look for)(?: the)?(?: lines (?:with|containing|about|that ` +
		`contain))?(?: the)? {re}{quoted} (?:in|under) {place}`, searchSteps},
	{`(?:search for|grep(?: for)?)(?: the)? {re}{quoted}(?: in all files)?`, searchSteps},
	{
		`在\s*{place}\s*(?:文件夹|目录)?(?:下|中|里)?(?:搜索|查找)(?:包含)?\s*{正则}{quoted}(?:的?(?:所有|` +
			`全部)?(?:文件|行|内容))?`, searchSteps},
	{
		`(?:搜索|查找)\s*{place}\s*(?:文件夹|目录)?(?:下|中|里)?的?(?:包含)?\s*{正则}{quoted}(?:的?(?:所有|` +
			`全部)?(?:文件|行|内容))?`, searchSteps},
	{`(?:find|search for|list)(?: all)?(?: the)? files?(?: that are)? (?:named|called|whose names? ` +
		`contains?) (?:{quoted}|(?P<glob>[^\s"']*[*?][^\s"']*))`, call("file_search pattern={quoted}{glob}")},
	{`(?:查找|搜索|列出)(?:所有)?文件名(?:中)?(?:包含|含有|含|为|是)\s*{quoted}\s*的(?:所有)?文件`,
		call("file_search pattern={quoted}{glob}")},
	// writing
	{`(?:write|save|store)(?: out)? {content} (?:to|into|in|as) (?:the (?:new )?file )?{file}(?:,? ` +
		`overwriting it)?`, call("write_file path={file} text=@content mode=overwrite")},
	{`overwrite (?:the file )?{file} (?:with|by) {content}`,
		call("write_file path={file} text=@content mode=overwrite")},
	{`replace (?:all|the whole|the whole text) of {file} (?:with|by) {content}`,
		call("write_file path={file} text=@content mode=overwrite")},
	{`(?:将|把){内容}(?:写入|写到|保存到|存入|存为)\s*(?:文件)?\s*{file}(?:中|里)?(?:，?覆盖原文)?`,
		call("write_file path={file} text=@content mode=overwrite")},
	{`(?:写入|保存){内容}到\s*{file}(?:中|里)?`, call("write_file path={file} text=@content mode=overwrite")},
	{`用{内容}(?:覆盖|覆写)\s*{file}`, call("write_file path={file} text=@content mode=overwrite")},
	{`append {content} (?:to|at) (?:the end of )?(?:the file )?{file}`,
		call("write_file path={file} text=@content mode=append")},
	{`(?:add|write|put) {content} (?:to|at) the (?:end|bottom) of (?:the file )?{file}`,
		call("write_file path={file} text=@content mode=append")},
	{
		`(?:将|把){内容}(?:追加|附加|添加)(?:到|至|在)\s*(?:文件)?\s*{file}\s*(?:中|里)?的?(?:末尾|` +
			`结尾|最后|后面)?(?:处)?`, call("write_file path={file} text=@content mode=append")},
	{`(?:追加|附加){内容}(?:到|至)\s*{file}\s*(?:的)?(?:末尾|结尾)?`,
		call("write_file path={file} text=@content mode=append")},
	{`在\s*{file}\s*(?:中|里|的?末尾|的?结尾)?(?:处)?(?:追加|附加)(?:上)?{内容}`,
		call("write_file path={file} text=@content mode=append")},
	{`create (?:the |a )?(?:new )?(?:file )?{file} with {content}`,
		call("create_file path={file} text=@content")},
	{`create (?:the |a )?(?:new )?(?:file )?{file} and write {content} (?:to|into) it`,
		call("create_file path={file} text=@content")},
	{`(?:新建|创建)(?:文件)?\s*{file}\s*[，,]?\s*(?:写入|内容为){内容}`,
		call("create_file path={file} text=@content")},
	{`insert {content} (?:in|into) {file}(?:,)? before line {from}`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	{`(?:in|into) {file},? insert {content} before line {from}`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	{`insert {content} (?:in|into) {file},? after (?:the )?(?:heading |line |text )?{anchor}`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	{`(?:in|into) {file},? insert {content} after (?:the )?(?:heading |line |text )?{anchor}`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	{`insert {content} (?:in|into) {file},? before (?:the )?(?:heading |line |text )?{anchor}`,
		call("write_file path={file} text=@content mode=before anchor={anchor}")},
	{`(?:in|into) {file},? insert {content} before (?:the )?(?:heading |line |text )?{anchor}`,
		call("write_file path={file} text=@content mode=before anchor={anchor}")},
	{`insert {content} (?:in|into|at) the (?:beginning|start|top) of {file}`,
		call("write_file path={file} text=@content mode=insert line=1")},
	{`insert {content} (?:in|into) {file},? at the (?:beginning|start|top)`,
		call("write_file path={file} text=@content mode=insert line=1")},
	{`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:中|里)?的?\s*{anchor}\s*(?:之前|前面|前)`,
		call("write_file path={file} text=@content mode=before anchor={anchor}")},
	{`在\s*{file}\s*(?:中|里)?的?\s*{anchor}\s*(?:之前|前面|前)插入{内容}`,
		call("write_file path={file} text=@content mode=before anchor={anchor}")},
	{`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:的)?(?:开头|最前面|顶部)`,
		call("write_file path={file} text=@content mode=insert line=1")},
	{
		`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:中|里)?的?(?:第\s*{from}\s*行(?:之)?前|` +
			`{anchor}\s*(?:之后|` +
			`后面|后))`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	{`在\s*{file}\s*(?:中|里)?的?(?:第\s*{from}\s*行(?:之)?前|{anchor}\s*(?:之后|后面|后))插入{内容}`,
		call("write_file path={file} text=@content mode=insert line={from} anchor={anchor}")},
	// changing
	{`in {file},? (?:replace|change) (?:the (?:text|words?|line|sentence) )?{old} (?:by|with|to|into) {new}`,
		call("replace_in_file path={file} old={old} text={new}")},
	{`(?:replace|change) (?:the (?:text|words?|line|sentence) )?{old} (?:by|with|to|into) {new} in {file}`,
		call("replace_in_file path={file} old={old} text={new}")},
	{`(?:在|把|将)\s*{file}\s*(?:中|里)?(?:的|，)?(?:把|将)?\s*{old}\s*(?:替换|改|换)(?:为|成)\s*{new}`,
		call("replace_in_file path={file} old={old} text={new}")},
	{`in {file},? (?:delete|remove|cut|drop) (?:the (?:text|words?|lines?|sentence|row) )?{old}`,
		call("replace_in_file path={file} old={old} text=")},
	{`(?:delete|remove|cut|drop) (?:the (?:text|words?|lines?|sentence|row) )?{old} (?:from|in) {file}`,
		call("replace_in_file path={file} old={old} text=")},
	{`(?:在|从|把|将)\s*{file}\s*(?:中|里)?(?:的|，)?\s*删(?:除|去|掉)\s*{old}`,
		call("replace_in_file path={file} old={old} text=")},
	{`(?:把|将)\s*{file}\s*(?:中|里)?的?\s*{old}\s*删(?:除|去|掉)`,
		call("replace_in_file path={file} old={old} text=")},
	{`in {file},? insert {new} (?:right |directly )?after {old}`, inlineSteps},
	{`insert {new} (?:right |directly )?after {old} in {file}`, inlineSteps},
	{`in {file},? insert {new} (?:right |directly )?before {old}`, aheadSteps},
	{`insert {new} (?:right |directly )?before {old} in {file}`, aheadSteps},
	{`在\s*{file}\s*(?:中|里)?的?\s*{old}\s*(?:之前|前面|前)插入\s*{new}`, aheadSteps},
	{`在\s*{file}\s*(?:中|里)?的?\s*{old}\s*(?:之后|后面|后)插入\s*{new}`, inlineSteps},
	{`(?:delete|remove)(?: the)?(?: files?)? {files}`, call("delete_file path={files}")},
	{`删除(?:文件)?\s*{files}`, call("delete_file path={files}")},
	{`(?:move|rename)(?: the)?(?: file)? {file} (?:to|as|into) {to}`, call("move path={file} to={to}")},
	{`(?:将|把)\s*{file}\s*(?:移动|移|重命名|改名)(?:到|至|为)\s*{to}`, call("move path={file} to={to}")},
	{`(?:create|make)(?: the| a)?(?: new)? (?:folder|directory)(?: (?:named|called))? {folder}`,
		call("create_directory path={folder}")},
	{`(?:创建|新建)(?:目录|文件夹)\s*{folder}`, call("create_directory path={folder}")},
	// copying text
	{`copy(?: the)?(?: (?:file|chapter|text of))? {file} (?:to|into) {to}(?: after (?:the )?(?:heading ` +
		`|section )?{anchor})?`, copySteps},
	{`append(?: the)?(?: (?:file|chapter|text of))? {file} to (?:the end of )?{to}`, copySteps},
	{`(?:copy|put|append)(?: the)? section {quoted} (?:of|from) {file} (?:to|into|in) {to}(?: after (?:the ` +
		`)?(?:heading |section )?{anchor})?`, copySteps},
	{
		`(?:bind|copy|assemble|merge)(?: all)?(?: the)? chapters (?:to|into|in) {to}(?: in (?:the ` +
			`)?(?:blueprint's order|order of the blueprint))?`,
		call("write_file from=Notebook path={to} mode=append")},
	{
		`(?:将|把)\s*{file}\s*(?:复制|拷贝|追加)(?:到|至)\s*{to}\s*(?:的?\s*{anchor}\s*(?:之后|` +
			`后面|一节之后|后))?`, copySteps},
	{
		`(?:将|把)\s*{file}\s*(?:中|里)?的?\s*{quoted}\s*(?:一节|章节|小节|部分)(?:复制|放|拷贝|追加)(?:到|` +
			`至|入)\s*{to}\s*(?:(?:中|里)?的?\s*{anchor}\s*(?:一节)?(?:之后|后面|后))?`, copySteps},
	{`(?:将|把)(?:各章|所有章节|全部章节)(?:按蓝图(?:的)?顺序)?(?:合并|汇编|装订|复制)(?:到|至|成|为)\s*{to}`,
		call("write_file from=Notebook path={to} mode=append")},
}

// call makes the steps of a form of what it asks for, such as "move path={file} to={to}": an action and its
// arguments, where a name in braces is a piece of the form. A place that is not given is left out, and a list
// of files is a step for each.
func call(asked string) func(match) []step {
	action, given, _ := strings.Cut(asked, " ")
	return func(m match) (all []step) {
		args := map[string]any{}
		for field := range strings.FieldsSeq(given) {
			name, text, _ := strings.Cut(field, "=")
			value := piece.ReplaceAllStringFunc(text,
				func(p string) string { return m.value(strings.Trim(p, "{}")) })
			switch {
			case value == "" && (name == "line" || name == "anchor"):
			case name == "line":
				args[name], _ = strconv.Atoi(value) // digits
			case name == "lines":
				args[name] = strings.TrimSuffix(value, "-")
			default:
				args[name] = value
			}
		}
		if !strings.Contains(given, "{files}") {
			return []step{{action, args}}
		}
		for _, p := range m.paths() {
			all = append(all, step{action, map[string]any{"path": unquote(p)}})
		}
		return all
	}
}

var piece = regexp.MustCompile(`\{\w+\}`)

// value is what a piece says: without quotation marks, the folder as a path, and what is to be written is a
// quotation or the content that came with the request.
func (m match) value(name string) string {
	switch {
	case name == "folder":
		return cleaned(m[name])
	case name == "new" && unquote(m[name]) == m[name]:
		return contentName
	}
	return unquote(m[name])
}

var (
	operators = regexp.MustCompile(`[\\|*+?^$()\[\]{}]`)
	citation  = regexp.MustCompile(`\[s\d+(?:\.\d+)?\]`)
)

// searchSteps looks for a text as it is written. One that may be meant as an expression, and is not called
// one, is no plain request.
func searchSteps(m match) []step {
	text := unquote(m["quoted"])
	switch {
	case strings.TrimSpace(text) == "":
		return nil
	case m["re"] != "":
	case operators.MatchString(citation.ReplaceAllString(text, "")):
		return nil
	default:
		text = regexp.QuoteMeta(text)
		if strings.ToLower(text) != strings.ToUpper(text) {
			text = "(?i)" + text
		}
	}
	where := cleaned(m["place"])
	if fileName.MatchString(where) && !strings.Contains(where, "*") {
		return []step{{"search_in_file", map[string]any{"path": where, "pattern": text}}}
	}
	return []step{{"grep_files", map[string]any{"directory": where, "pattern": text}}}
}

// inlineSteps put a quotation right behind a text, within its line, and the content below its line.
func inlineSteps(m match) []step {
	if m.value("new") == contentName {
		return call("write_file path={file} text=@content mode=insert anchor={old}")(m)
	}
	return call("write_file path={file} text={new} mode=inline anchor={old}")(m)
}

// aheadSteps put a quotation right before a text, within its line, and the content before its line.
func aheadSteps(m match) []step {
	if m.value("new") == contentName {
		return call("write_file path={file} text=@content mode=before anchor={old}")(m)
	}
	return call("replace_in_file path={file} old={old} text={new}{old}")(m)
}

// copySteps puts what is copied at the end of a file, which is made if need be, or after an anchor. Nothing
// is lost by it.
func copySteps(m match) []step {
	mode := "append"
	if m["anchor"] != "" {
		mode = "insert"
	}
	if m["quoted"] != "" {
		mode += " section={quoted}"
	}
	return call("write_file from={file} path={to} anchor={anchor} mode=" + mode)(m)
}
