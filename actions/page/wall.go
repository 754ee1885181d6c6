package page

// What the pages say that stand in the way of another: in small letters and without punctuation, as wordsOf
// gives it.

func challengeTitles() []string {
	return []string{"just a moment", "attention required cloudflare", "access denied",
		"access to this page has been denied",
		"pardon our interruption", "verify you are human", "verifying you are human", "human verification",
		"robot or human",
		"are you a robot", "are you human", "security check", "security verification",
		"checking your browser", "ddos guard", "bot verification",
		"captcha", "recaptcha", "please wait verifying", "one moment please", "sicherheitsüberprüfung",
		"you have been blocked",
		"请稍候", "安全验证", "百度安全验证", "人机验证", "滑动验证", "验证码", "访问验证", "访问异常",
		"访问被拒绝"}
}

func challengeWords() []string {
	return []string{"enable javascript and cookies to continue", "checking your browser before accessing",
		"checking if the site connection is secure",
		"verify you are human", "verify that you are human", "verifying you are human",
		"confirm you are a human", "confirm that you are human", "prove you are human",
		"press hold to confirm", "i am not a robot",
		"unusual traffic from your computer network", "complete the security check to access",
		"complete the captcha",
		"enable js and disable any ad blocker", "sorry you have been blocked",
		"request unsuccessful incapsula incident",
		"something about your browser made us think you were a bot", "making sure you re not a bot",
		"to discuss automated access to amazon data",
		"you don t have permission to access", "this request was blocked by the security rules",
		"the request could not be satisfied", "errors edgesuite net",
		"bestätigen sie dass sie kein roboter", "vérifiez que vous êtes humain", "请完成安全验证",
		"请完成验证", "完成验证后", "请输入验证码", "您的访问出现异常",
		"网络环境存在异常", "环境异常", "访问过于频繁", "您的请求过于频繁", "请拖动滑块", "请按住滑块"}
}

func scriptWords() []string {
	return []string{"enable javascript", "javascript is disabled", "javascript is required",
		"requires javascript", "turn on javascript", "needs javascript",
		"javascript to run this app", "javascript is not enabled", "without javascript",
		"activate javascript", "javascript must be enabled", "javascript aktivieren",
		"aktivieren sie javascript", "bitte javascript", "activez javascript",
		"activer javascript", "habilite javascript", "habilita javascript", "启用 javascript",
		"启用javascript", "开启javascript", "开启 javascript", "不支持javascript", "浏览器版本过低"}
}

func missingWords() []string {
	return []string{"page not found", "page cannot be found", "page can t be found",
		"page could not be found", "page does not exist", "page doesn t exist", "not found",
		"nothing found", "file not found", "content not found", "article not found", "we can t find",
		"we couldn t find", "we could not find", "sorry this page", "sorry the page", "sorry we can t find",
		"sorry we couldn t find",
		"oops that page", "oops this page", "oops page not found", "oops we can t", "the page you requested",
		"the page you are looking for", "the page you re looking for", "the page cannot be found",
		"the requested page", "the requested url was not found",
		"this page does not exist", "this page doesn t exist", "this page isn t available",
		"this page is not available", "this page could not be found", "this page can t be found",
		"this content isn t available", "this content is no longer available",
		"seite nicht gefunden", "die seite wurde nicht gefunden", "die angeforderte seite",
		"diese seite existiert nicht", "page introuvable", "page non trouvée", "cette page n existe pas",
		"página no encontrada", "página não encontrada", "pagina non trovata", "pagina niet gevonden",
		"страница не найдена", "strona nie istnieje", "nie znaleziono strony",
		"页面不存在", "该页面不存在", "此页面不存在", "您访问的页面", "您要访问的页面", "您查看的页面",
		"你访问的页面", "你要找的页面", "您要找的页面", "页面找不到", "找不到页面", "找不到该页",
		"找不到网页", "无法找到该页", "页面未找到", "未找到页面", "页面已删除", "页面走丢了",
		"抱歉您访问的页面",
		"抱歉 您访问的页面", "抱歉页面", "很抱歉您", "很抱歉 您", "对不起您访问的", "对不起 您访问的",
		"该内容已被发布者删除", "此内容因违规无法查看", "内容不存在", "文章不存在", "该文章已",
		"您访问的文章", "ページが見つかりません", "お探しのページ", "페이지를 찾을 수 없"}
}

func loginWords() []string {
	return []string{"log in", "login", "sign in", "signin", "log on", "anmelden", "anmeldung", "einloggen",
		"connexion", "se connecter", "iniciar sesión",
		"entrar", "accedi", "inloggen", "вход", "zaloguj", "登录", "登陆", "登入", "ログイン", "로그인"}
}

func loginWalls() []string {
	return []string{"log in to continue", "sign in to continue", "login to continue", "please log in to",
		"please sign in to", "please login to", "you must be logged in", "you need to be logged in",
		"you need to log in", "you need to sign in", "you must log in to", "you must sign in to",
		"log in to view", "sign in to view", "bitte melden sie sich an", "sie müssen angemeldet sein",
		"vous devez être connecté",
		"请先登录", "登录后查看", "登录后即可", "登录后才能", "请登录后"}
}

func paywallWords() []string {
	return []string{"subscribe to continue", "subscribe to read", "subscribe to keep reading",
		"to continue reading subscribe", "to read the full story", "to read the full article",
		"to continue reading this article", "to keep reading",
		"read the full article with a subscription", "already a subscriber", "already have a subscription",
		"for subscribers only", "subscribers only", "subscriber only", "exclusive to subscribers",
		"only available to subscribers", "this article is for subscribers", "this content is for members",
		"become a member to read",
		"unlock this article", "start your free trial to", "you have reached your limit of free articles",
		"you ve reached your limit", "your last free article",
		"jetzt weiterlesen", "weiterlesen mit", "lesen sie weiter mit", "mit abo weiterlesen",
		"artikel freischalten", "nur für abonnenten", "exklusiv für abonnenten", "sie haben bereits ein abo",
		"bereits abonnent", "pour lire la suite", "réservé aux abonnés", "réservée aux abonnés",
		"il vous reste",
		"exclusivo para suscriptores", "contenido exclusivo para", "ya eres suscriptor",
		"conteúdo exclusivo para assinantes", "riservato agli abbonati", "dostęp do treści", "订阅后",
		"付费后", "付费阅读", "购买后阅读", "开通会员", "会员专享", "剩余内容需", "阅读全文需",
		"登录后阅读全文"}
}

func cookieWords() []string {
	return []string{"accept all", "cookies", "we value your privacy", "our partners", "manage preferences",
		"cookie settings", "legitimate interest", "alle akzeptieren",
		"wir und unsere partner", "einwilligung", "mit werbung", "datenschutz", "tout accepter",
		"nos partenaires", "aceptar todo", "接受所有", "全部接受", "隐私设置"}
}
