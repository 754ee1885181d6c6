package gate

// The gates one by one, for tests.
var (
	Form     = check{"form", form}
	Language = check{"language", language}

	ErrNoProfile = errNoProfile
)

func Length(p Profile) Gate  { return check{"length", p.length} }
func Minimum(p Profile) Gate { return check{"minimum", p.minimum} }
func Parts(p Profile) Gate   { return check{"parts", p.parts} }
