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
	{`(?:read|show|open|print|view|display)(?: me)?(?: (?:the|all of the))?(?: (?:whole|full|entire))?(?: (?:files?|chapters?|text of|contents? of))?(?: the files?)? {files}(?: (?:in full|whole|completely))?`, readSteps},
	{`(?:读取|阅读|查看|打开|显示|读一下|看一下)(?:文件|章节)?\s*{files}\s*(?:的)?(?:全部|完整|所有)?(?:内容|全文)?`, readSteps},
	{`(?:read|show)(?: the)? lines? {from}(?: ?(?:-|–|to) ?{last})? (?:of|from|in) {file}`, readLinesSteps},
	{`(?:read|show) {file},? \(?lines? {from}(?: ?(?:-|–|to) ?{last})?\)?`, readLinesSteps},
	{`(?:读取|查看|显示|阅读)\s*{file}\s*的?\s*第?\s*{from}(?:\s*(?:-|–|到|至)\s*第?\s*{last})?\s*行(?:的?内容)?`, readLinesSteps},
	{`(?:read|show)(?: the)?(?: whole)? section {quoted} (?:of|from|in) {file}`, readSectionSteps},
	{`(?:read|show) the {quoted} section (?:of|from|in) {file}`, readSectionSteps},
	{`(?:read|show) {file},? (?:the )?section {quoted}`, readSectionSteps},
	{`(?:读取|查看|显示|阅读)\s*{file}\s*(?:中|里)?的?\s*{quoted}\s*(?:一节|这一节|章节|小节|部分)(?:的?内容)?`, readSectionSteps},
	{`(?:outline|(?:read|show|list)(?: me)?(?: the)? (?:outline|headings) (?:of|in)) {file}`, outlineSteps},
	{`(?:列出|显示|查看)\s*{file}\s*的?(?:大纲|标题|目录结构)`, outlineSteps},
	{`(?:continue|go on with)(?: the)? (?:stream|stream_id|reading stream) {quoted}`, continueSteps},
	{`继续读取(?:流)?\s*{quoted}`, continueSteps},
	{`list(?: the)?(?: (?:files|entries|contents?))?(?: (?:of|in))?(?: the (?:folder|directory))? {folder}(?: (?:folder|directory))?`, listSteps},
	{`list(?: all)?(?: the)? files(?: in the workspace)?`, listSteps},
	{`列出\s*{folder}\s*(?:文件夹|目录)?(?:下|中|里)?(?:的)?(?:所有|全部)?(?:文件|内容)?`, listSteps},
	{`列出(?:所有|全部)文件`, listSteps},
	// searching
	{`search(?: (?:the )?(?:files? (?:in )?|folder ))?(?: ?in)? ?{place} for(?: the)? {re}{quoted}`, searchSteps},
	{`(?:search for|find|grep(?: for)?|look for)(?: the)?(?: lines (?:with|containing|about|that contain))?(?: the)? {re}{quoted} (?:in|under) {place}`, searchSteps},
	{`(?:search for|grep(?: for)?)(?: the)? {re}{quoted}(?: in all files)?`, searchSteps},
	{`在\s*{place}\s*(?:文件夹|目录)?(?:下|中|里)?(?:搜索|查找)(?:包含)?\s*{正则}{quoted}(?:的?(?:所有|全部)?(?:文件|行|内容))?`, searchSteps},
	{`(?:搜索|查找)\s*{place}\s*(?:文件夹|目录)?(?:下|中|里)?的?(?:包含)?\s*{正则}{quoted}(?:的?(?:所有|全部)?(?:文件|行|内容))?`, searchSteps},
	{`(?:find|search for|list)(?: all)?(?: the)? files?(?: that are)? (?:named|called|whose names? contains?) (?:{quoted}|(?P<glob>[^\s"']*[*?][^\s"']*))`, nameSteps},
	{`(?:查找|搜索|列出)(?:所有)?文件名(?:中)?(?:包含|含有|含|为|是)\s*{quoted}\s*的(?:所有)?文件`, nameSteps},
	// writing
	{`(?:write|save|store)(?: out)? {content} (?:to|into|in|as) (?:the (?:new )?file )?{file}(?:,? overwriting it)?`, writeSteps("overwrite")},
	{`overwrite (?:the file )?{file} (?:with|by) {content}`, writeSteps("overwrite")},
	{`replace (?:all|the whole|the whole text) of {file} (?:with|by) {content}`, writeSteps("overwrite")},
	{`(?:将|把){内容}(?:写入|写到|保存到|存入|存为)\s*(?:文件)?\s*{file}(?:中|里)?(?:，?覆盖原文)?`, writeSteps("overwrite")},
	{`(?:写入|保存){内容}到\s*{file}(?:中|里)?`, writeSteps("overwrite")},
	{`用{内容}(?:覆盖|覆写)\s*{file}`, writeSteps("overwrite")},
	{`append {content} (?:to|at) (?:the end of )?(?:the file )?{file}`, writeSteps("append")},
	{`(?:add|write|put) {content} (?:to|at) the (?:end|bottom) of (?:the file )?{file}`, writeSteps("append")},
	{`(?:将|把){内容}(?:追加|附加|添加)(?:到|至|在)\s*(?:文件)?\s*{file}\s*(?:中|里)?的?(?:末尾|结尾|最后|后面)?(?:处)?`, writeSteps("append")},
	{`(?:追加|附加){内容}(?:到|至)\s*{file}\s*(?:的)?(?:末尾|结尾)?`, writeSteps("append")},
	{`在\s*{file}\s*(?:中|里|的?末尾|的?结尾)?(?:处)?(?:追加|附加)(?:上)?{内容}`, writeSteps("append")},
	{`create (?:the |a )?(?:new )?(?:file )?{file} with {content}`, createSteps},
	{`create (?:the |a )?(?:new )?(?:file )?{file} and write {content} (?:to|into) it`, createSteps},
	{`(?:新建|创建)(?:文件)?\s*{file}\s*[，,]?\s*(?:写入|内容为){内容}`, createSteps},
	{`insert {content} (?:in|into) {file}(?:,)? before line {from}`, insertSteps},
	{`(?:in|into) {file},? insert {content} before line {from}`, insertSteps},
	{`insert {content} (?:in|into) {file},? after (?:the )?(?:heading |line |text )?{anchor}`, insertSteps},
	{`(?:in|into) {file},? insert {content} after (?:the )?(?:heading |line |text )?{anchor}`, insertSteps},
	{`insert {content} (?:in|into) {file},? before (?:the )?(?:heading |line |text )?{anchor}`, beforeSteps},
	{`(?:in|into) {file},? insert {content} before (?:the )?(?:heading |line |text )?{anchor}`, beforeSteps},
	{`insert {content} (?:in|into|at) the (?:beginning|start|top) of {file}`, topSteps},
	{`insert {content} (?:in|into) {file},? at the (?:beginning|start|top)`, topSteps},
	{`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:中|里)?的?\s*{anchor}\s*(?:之前|前面|前)`, beforeSteps},
	{`在\s*{file}\s*(?:中|里)?的?\s*{anchor}\s*(?:之前|前面|前)插入{内容}`, beforeSteps},
	{`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:的)?(?:开头|最前面|顶部)`, topSteps},
	{`(?:将|把){内容}插入(?:到)?\s*{file}\s*(?:中|里)?的?(?:第\s*{from}\s*行(?:之)?前|{anchor}\s*(?:之后|后面|后))`, insertSteps},
	{`在\s*{file}\s*(?:中|里)?的?(?:第\s*{from}\s*行(?:之)?前|{anchor}\s*(?:之后|后面|后))插入{内容}`, insertSteps},
	// changing
	{`in {file},? (?:replace|change) (?:the (?:text|words?|line|sentence) )?{old} (?:by|with|to|into) {new}`, replaceSteps},
	{`(?:replace|change) (?:the (?:text|words?|line|sentence) )?{old} (?:by|with|to|into) {new} in {file}`, replaceSteps},
	{`(?:在|把|将)\s*{file}\s*(?:中|里)?(?:的|，)?(?:把|将)?\s*{old}\s*(?:替换|改|换)(?:为|成)\s*{new}`, replaceSteps},
	{`in {file},? insert {new} (?:right |directly )?after {old}`, inlineSteps},
	{`insert {new} (?:right |directly )?after {old} in {file}`, inlineSteps},
	{`in {file},? insert {new} (?:right |directly )?before {old}`, aheadSteps},
	{`insert {new} (?:right |directly )?before {old} in {file}`, aheadSteps},
	{`在\s*{file}\s*(?:中|里)?的?\s*{old}\s*(?:之前|前面|前)插入\s*{new}`, aheadSteps},
	{`在\s*{file}\s*(?:中|里)?的?\s*{old}\s*(?:之后|后面|后)插入\s*{new}`, inlineSteps},
	{`(?:delete|remove)(?: the)?(?: files?)? {files}`, deleteSteps},
	{`删除(?:文件)?\s*{files}`, deleteSteps},
	{`(?:move|rename)(?: the)?(?: file)? {file} (?:to|as|into) {to}`, moveSteps},
	{`(?:将|把)\s*{file}\s*(?:移动|移|重命名|改名)(?:到|至|为)\s*{to}`, moveSteps},
	{`(?:create|make)(?: the| a)?(?: new)? (?:folder|directory)(?: (?:named|called))? {folder}`, folderSteps},
	{`(?:创建|新建)(?:目录|文件夹)\s*{folder}`, folderSteps},
	// copying text
	{`copy(?: the)?(?: (?:file|chapter|text of))? {file} (?:to|into) {to}(?: after (?:the )?(?:heading |section )?{anchor})?`, copySteps},
	{`append(?: the)?(?: (?:file|chapter|text of))? {file} to (?:the end of )?{to}`, copySteps},
	{`(?:copy|put|append)(?: the)? section {quoted} (?:of|from) {file} (?:to|into|in) {to}(?: after (?:the )?(?:heading |section )?{anchor})?`, copySteps},
	{`(?:bind|copy|assemble|merge)(?: all)?(?: the)? chapters (?:to|into|in) {to}(?: in (?:the )?(?:blueprint's order|order of the blueprint))?`, bindSteps},
	{`(?:将|把)\s*{file}\s*(?:复制|拷贝|追加)(?:到|至)\s*{to}\s*(?:的?\s*{anchor}\s*(?:之后|后面|一节之后|后))?`, copySteps},
	{`(?:将|把)\s*{file}\s*(?:中|里)?的?\s*{quoted}\s*(?:一节|章节|小节|部分)(?:复制|放|拷贝|追加)(?:到|至|入)\s*{to}\s*(?:(?:中|里)?的?\s*{anchor}\s*(?:一节)?(?:之后|后面|后))?`, copySteps},
	{`(?:将|把)(?:各章|所有章节|全部章节)(?:按蓝图(?:的)?顺序)?(?:合并|汇编|装订|复制)(?:到|至|成|为)\s*{to}`, bindSteps},
}

func one(action string, args map[string]any) []step { return []step{{action, args}} }

func readSteps(m match) (all []step) {
	for _, p := range m.paths() {
		all = append(all, step{"read_file", map[string]any{"path": unquote(p)}})
	}
	return all
}

func readLinesSteps(m match) []step {
	lines := m["from"]
	if last := m["last"]; last != "" {
		lines += "-" + last
	}
	return one("read_file", map[string]any{"path": unquote(m["file"]), "mode": "lines", "lines": lines})
}

func readSectionSteps(m match) []step {
	return one("read_file", map[string]any{"path": unquote(m["file"]), "section": unquote(m["quoted"])})
}

func outlineSteps(m match) []step {
	return one("outline", map[string]any{"path": unquote(m["file"])})
}

func continueSteps(m match) []step {
	return one("continue_stream_read", map[string]any{"stream_id": unquote(m["quoted"])})
}

func listSteps(m match) []step {
	if m["folder"] == "" {
		return one("list_directory", map[string]any{"path": "."})
	}
	return one("list_directory", map[string]any{"path": cleaned(m["folder"])})
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
		return one("search_in_file", map[string]any{"path": where, "pattern": text})
	}
	return one("grep_files", map[string]any{"directory": where, "pattern": text})
}

func nameSteps(m match) []step {
	name := m["glob"]
	if name == "" {
		name = unquote(m["quoted"])
	}
	return one("file_search", map[string]any{"pattern": name})
}

func writeSteps(mode string) func(match) []step {
	return func(m match) []step {
		return one("write_file", map[string]any{"path": unquote(m["file"]), "text": contentName, "mode": mode})
	}
}

func createSteps(m match) []step {
	return one("create_file", map[string]any{"path": unquote(m["file"]), "text": contentName})
}

func insertSteps(m match) []step {
	args := map[string]any{"path": unquote(m["file"]), "text": contentName, "mode": "insert"}
	if line, err := strconv.Atoi(m["from"]); err == nil {
		args["line"] = line
	} else {
		args["anchor"] = unquote(m["anchor"])
	}
	return one("write_file", args)
}

func beforeSteps(m match) []step {
	return one("write_file", map[string]any{"path": unquote(m["file"]), "text": contentName, "mode": "before", "anchor": unquote(m["anchor"])})
}

// topSteps put the content before the first line, when the request says that it goes there.
func topSteps(m match) []step {
	return one("write_file", map[string]any{"path": unquote(m["file"]), "text": contentName, "mode": "insert", "line": 1})
}

// newText is what is to be written: a quotation, or the content that came with the request.
func (m match) newText() string {
	if text := unquote(m["new"]); text != m["new"] {
		return text
	}
	return contentName
}

func replaceSteps(m match) []step {
	return one("replace_in_file", map[string]any{"path": unquote(m["file"]), "old": unquote(m["old"]), "text": m.newText()})
}

func inlineSteps(m match) []step {
	text := m.newText()
	if text == contentName {
		return one("write_file", map[string]any{"path": unquote(m["file"]), "text": text, "mode": "insert", "anchor": unquote(m["old"])})
	}
	return one("write_file", map[string]any{"path": unquote(m["file"]), "text": text, "mode": "inline", "anchor": unquote(m["old"])})
}

// aheadSteps put a quotation right before a text, within its line, and the content before its line.
func aheadSteps(m match) []step {
	old, text := unquote(m["old"]), m.newText()
	if text == contentName {
		return one("write_file", map[string]any{"path": unquote(m["file"]), "text": text, "mode": "before", "anchor": old})
	}
	return one("replace_in_file", map[string]any{"path": unquote(m["file"]), "old": old, "text": text + old})
}

func deleteSteps(m match) (all []step) {
	for _, p := range m.paths() {
		all = append(all, step{"delete_file", map[string]any{"path": unquote(p)}})
	}
	return all
}

func moveSteps(m match) []step {
	return one("move", map[string]any{"path": unquote(m["file"]), "to": unquote(m["to"])})
}

func folderSteps(m match) []step {
	return one("create_directory", map[string]any{"path": cleaned(m["folder"])})
}

// copySteps puts what is copied at the end of a file, which is made if need be, or after an anchor. Nothing
// is lost by it.
func copySteps(m match) []step {
	args := map[string]any{"from": unquote(m["file"]), "path": unquote(m["to"]), "mode": "append"}
	if m["quoted"] != "" {
		args["section"] = unquote(m["quoted"])
	}
	if m["anchor"] != "" {
		args["anchor"], args["mode"] = unquote(m["anchor"]), "insert"
	}
	return one("write_file", args)
}

func bindSteps(m match) []step {
	return one("write_file", map[string]any{"from": "Notebook", "path": unquote(m["to"]), "mode": "append"})
}
