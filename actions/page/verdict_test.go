package page_test

import (
	"strings"
	"testing"

	"github.com/daybook-agent/daybook/actions/page"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const prose = "<p>The bridge was opened in spring, and many people came to see it, though it " +
	"rained all day, as it often does there.</p>"

func read(t *testing.T, html string) (page.Page, error) {
	t.Helper()
	return page.Read(t.Context(), page.Raw{URL: "https://example.org/story?id=7",
		ContentType: "text/html; charset=utf-8", Body: []byte(html)})
}

// Pages that stand in the place of another, in the shapes in which services and shops send them, all with
// status 200.
func TestPagesThatStandInTheWay(t *testing.T) {
	for _, test := range []struct {
		name, html string
		kind       page.Kind
		says       string
	}{
		{"Cloudflare",
			`<title>Just a moment...</title><body><noscript>Enable JavaScript and cookies ` +
				`to continue</noscript><script>window._cf_chl_opt={cType:'managed'}</script>`, page.Challenge,
			"another source"},
		{"Cloudflare, older",
			`<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been ` +
				`blocked</h1><p>You are ` +
				`unable to access example.org</p>`, page.Challenge, "prove"},
		{"Cloudflare with a form",
			`<title>example.org</title><h1>example.org</h1><p>Checking if the site connection is ` +
				`secure</p><form class="challenge-form" id="cf-challenge"></form>`, page.Challenge, "prove"},
		{"Akamai",
			`<title>Access Denied</title><h1>Access Denied</h1>You don't have permission to access ` +
				`"http://example.org/" on this server.<p>Reference ` +
				`#18.2d351ab8.1557333295.a4e16ab<p>https://errors.edgesuite.net/18.2d`,
			page.Challenge, "prove"},
		{"Akamai with a wait",
			`<title>x</title><div id="sec-if-cpt-container">Powered and protected by</div>`,
			page.Challenge, "prove"},
		{"HUMAN",
			`<title>Access to this page has been denied</title><div id="px-captcha"></div><p>Press ` +
				`& Hold to ` +
				`confirm you are a human (and not a bot).`, page.Challenge, "prove"},
		{"DataDome",
			`<title>shop.example</title><p id="cmsg">Please enable JS and disable any ` +
				`ad blocker</p><script ` +
				`src="https://ct.captcha-delivery.com/c.js"></script>`, page.Challenge, "prove"},
		{"Imperva",
			`<title>Pardon Our Interruption</title><p>As you were browsing something about your ` +
				`browser made ` +
				`us think you were a bot.`, page.Challenge, "prove"},
		{"AWS",
			`<script>window.gokuProps = {"key":"x"}</script><noscript><h1>JavaScript is disabled</h1>In ` +
				`order to continue, we need to verify that you're not a robot.</noscript><div>x</div>`,
			page.Challenge, "prove"},
		{"captcha in Chinese", `<title>百度安全验证</title><div>请完成下方验证后继续操作</div>`,
			page.Challenge, "prove"},
		{"check in Chinese",
			`<title>公众号</title><h2>环境异常</h2><p>当前环境异常，完成验证后即可继续访问。</p><a ` +
				`href="#">去验证</a>`, page.Challenge, "prove"},
		{"page of scripts",
			`<title>App</title><body><noscript>You need to enable JavaScript to run ` +
				`this app.</noscript><div ` +
				`id="root">Loading…</div><script src="/main.js"></script>`, page.Challenge,
			"runs its scripts"},
		{"soft 404",
			`<title>Page not found | Example</title><h1>Page not found</h1><p>The page you are looking for ` +
				`might have been removed.`, page.NotFound, "check the address"},
		{"soft 404 by number",
			`<title>404 - Example News</title><h1>Oops!</h1><ul><li><a href=/>Home</a></ul><p>Try ` +
				`the search.`, page.NotFound, "check the address"},
		{"soft 404 in the heading",
			`<title>Example</title><h1>Sorry, this page isn't available.</h1><p>The link you followed ` +
				`may be broken.`, page.NotFound, "no such page"},
		{"soft 404 with teasers", `<title>404 Not Found</title><h1>Not Found</h1><h2>Read instead</h2>` +
			strings.Repeat(prose, 4), page.NotFound, "no such page"},
		{"soft 404 in German",
			`<title>Seite nicht gefunden – Zeitung</title><h1>Seite nicht gefunden</h1><p>Leider.`,
			page.NotFound, "no such page"},
		{"soft 404 in Chinese", `<title>提示信息</title><h3>您访问的页面不存在</h3><p>3 秒后返回首页</p>`,
			page.NotFound, "no such page"},
		{"soft 404 in Chinese by number", `<title>404错误提示页面</title><p>抱歉，找不到了</p>`,
			page.NotFound, "no such page"},
		{"deleted article in Chinese",
			`<title></title><div class="weui-msg"><h2>该内容已被发布者删除</h2></div>`, page.NotFound,
			"no such page"},
		{"login",
			`<title>Log in - Example</title><h1>Welcome back</h1><form><input name=u><input ` +
				`type="password" ` +
				`name=p><button>Log in</button></form><p>Forgot your password? No account yet?`, page.Login,
			"public source"},
		{"login without a title",
			`<form><p>Name</p><input name=u><p>Password</p><input type=password></form>`, page.Login,
			"public source"},
		{"login wall",
			`<title>Document</title><p>You must be logged in to view this document.</p><a ` +
				`href=/login>Log in</a>`, page.Login, "public source"},
		{"login in Chinese",
			`<title>用户登录</title><form>用户名<input><br>密码<input type="password"></form><p>忘记密码`,
			page.Login, "public source"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := read(t, test.html)
			e := asError(t, err)
			assert.Equal(t, test.kind, e.Kind, "%v", err)
			assert.Contains(t, err.Error(), test.says)
			assert.NotContains(t, err.Error(), "id=7")
		})
	}
}

// Texts about such pages, and pages that carry their parts. Each must be read, and read as whole.
func TestTextsAboutSuchPagesAreRead(t *testing.T) {
	long := strings.Repeat(prose, 20)
	for _, test := range []struct{ name, html string }{
		{"about captchas",
			`<title>CAPTCHA: how the test works</title><article><h1>CAPTCHA</h1><p>Verify you are ` +
				`human, it ` +
				`says. Please enable JS and disable any ad blocker.</p>` + long + `</article>`},
		{"about captchas, briefly",
			`<title>New captcha rules</title><article><h1>New captcha rules</h1><time ` +
				`datetime=2024-05-06>6 ` +
				`May</time>` + prose + `<p>Sites must not ask to verify you are human more than once.</p>` +
				strings.Repeat(prose, 3) + `</article>`},
		{"about missing pages",
			`<title>404 Not Found: what it means and how to fix it</title><h1>404 Not Found</h1>` + long},
		{"about the status, with code",
			`<title>404 Not Found - HTTP</title><h1>404 Not Found</h1><p>The server cannot find ` +
				`the page.</p><pre>HTTP/1.1 404 Not Found</pre>` + prose},
		{"about designs",
			`<title>The best page not found designs</title><h1>The best page not found designs</h1>` + prose +
				prose + prose},
		{"about paywalls",
			`<title>Why papers build paywalls</title><article ` +
				`class="paywall-research"><h1>Paywalls</h1><p>Subscribe to continue reading, they ` +
				`say. Already a subscriber?</p>` + long + `</article>`},
		{"about logging in",
			`<title>How to log in with a key</title><h1>How to log in with a key</h1><p>You must be logged ` +
				`in to the server first.</p><pre>ssh-keygen</pre>` + prose},
		{"with a login form in the corner",
			`<title>The bridge</title><form><input type=password></form><h1>The bridge</h1>` + prose +
				prose + prose},
		{"guarded by a service", `<title>The bridge</title><h1>The bridge</h1>` + prose +
			`<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script><script ` +
			`src="https://js.datadome.co/tags.js"></script><script ` +
			`src="https://www.google.com/recaptcha/api.js"></script>`},
		{"asking for scripts",
			`<title>The bridge</title><noscript>Please enable JavaScript for comments.</noscript><h1>The ` +
				`bridge</h1>` + prose + prose + prose},
		{"with a cookie box",
			`<title>The bridge</title><div class="cookie-box">We value your privacy. Accept all ` +
				`cookies. Our ` +
				`partners.</div><h1>The bridge</h1>` + prose + prose + prose},
		{"metered, but whole",
			`<title>The bridge</title><script type="application/ld+json">{"@type":"NewsArticle",` +
				`"datePublished":"2024-05-06","isAccessibleForFree":false,` +
				`"hasPart":{"isAccessibleForFree":false,"cssSelector":".body"}}</script><h1>The ` +
				`bridge</h1><div class="body">` + strings.Repeat(prose, 8) + `</div>`},
		{"a number for a title", `<title>404 metres of bridge</title><h1>404 metres of bridge</h1>` +
			prose + prose},
		{"in Chinese about captchas", `<title>验证码的历史</title><article><h1>验证码的历史</h1><p>` +
			strings.Repeat("请完成验证的提示在网络上很常见，研究者说它有用。", 80) + `</p></article>`},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := read(t, test.html)
			require.NoError(t, err)
			assert.Empty(t, doc.Partial)
		})
	}
}

func TestPartOfAText(t *testing.T) {
	locked :=
		`<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2024-05-06",` +
			`"isAccessibleForFree":"False","hasPart":{"@type":"WebPageElement",` +
			`"isAccessibleForFree":"False","cssSelector":".paid"}}</script>`
	for _, test := range []struct{ name, html, says string }{
		{"marked for search engines", `<title>The bridge</title>` + locked + `<article><h1>The bridge</h1>` +
			strings.Repeat(prose, 3) + `<div class="paid"></div></article>`, "paywall"},
		{"marked for sharing",
			`<title>The bridge</title><meta property="article:content_tier" content="locked"><h1>The ` +
				`bridge</h1>` + strings.Repeat(prose, 3), "paywall"},
		{"called a paywall", `<title>The bridge</title><article><h1>The bridge</h1>` +
			strings.Repeat(prose, 3) +
			`<div class="c-paywall"><p>Subscribe to continue reading</p></div></article>`, "paywall"},
		{"said in Chinese",
			`<title>大桥</title><article><h1>大桥</h1><p>大桥于春天开放，许多人前来参观。` +
				`</p><p>本文为付费阅读，剩余内容需订阅后查看。</p></article>`, "paywall"},
		{"a cookie wall", `<title>The bridge</title><h1>The bridge</h1>` + prose +
			`<div><p>We value your privacy. We and our partners ` +
			`use cookies.</p><button>x</button><p>Accept ` +
			`all</p></div>`, "cookie wall"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := read(t, test.html)
			require.NoError(t, err)
			assert.Contains(t, doc.Partial, test.says)
			assert.NotEmpty(t, doc.Markdown)
		})
	}
}
