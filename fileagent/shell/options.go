package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// options are what a command was given. Options may stand between and behind the operands.
type options struct {
	values map[rune][]string // by letter, in their order; of an option without a value, ""
	rest   []string
}

// syntaxOf says which options a command has.
type syntaxOf struct {
	letters string          // as for getopt: a colon follows one that takes a value
	long    map[string]rune // long names; those of 0 are taken and mean nothing here
	number  rune            // the option that -20 is short for, 0 for none
}

// read sorts the arguments of a command. Whatever it does not know it refuses, and says what there is.
func (s syntaxOf) read(args []string) (o options, err error) {
	o.values = map[rune][]string{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			o.rest = append(o.rest, args...)
			return o, nil
		case arg == "-" || !strings.HasPrefix(arg, "-"):
			o.rest = append(o.rest, arg)
		case strings.HasPrefix(arg, "--"):
			args, err = s.readLong(&o, arg, args)
		case s.number != 0 && isNumber(arg[1:]):
			o.values[s.number] = append(o.values[s.number], arg[1:])
		default:
			args, err = s.readShort(&o, arg[1:], args)
		}
		if err != nil {
			return o, err
		}
	}
	return o, nil
}

func (s syntaxOf) readLong(o *options, arg string, args []string) ([]string, error) {
	name, value, given := strings.Cut(arg, "=")
	letter, known := s.long[name[2:]]
	switch {
	case !known:
		return nil, s.unknown(name)
	case letter == 0:
		return args, nil
	case !s.takesValue(letter) && given:
		return nil, fmt.Errorf("the option %s takes no value", name)
	case s.takesValue(letter) && !given:
		if len(args) == 0 {
			return nil, fmt.Errorf("the option %s wants a value", name)
		}
		value, args = args[0], args[1:]
	}
	o.values[letter] = append(o.values[letter], value)
	return args, nil
}

func (s syntaxOf) readShort(o *options, cluster string, args []string) ([]string, error) {
	for i, letter := range cluster {
		at := strings.IndexRune(s.letters, letter)
		if letter == ':' || at < 0 || letter > 'z' {
			return nil, s.unknown("-" + string(letter))
		}
		if !s.takesValue(letter) {
			o.values[letter] = append(o.values[letter], "")
			continue
		}
		value := cluster[i+1:]
		if value == "" {
			if len(args) == 0 {
				return nil, fmt.Errorf("the option -%c wants a value", letter)
			}
			value, args = args[0], args[1:]
		}
		o.values[letter] = append(o.values[letter], value)
		return args, nil
	}
	return args, nil
}

// takesValue says whether a letter does. Those above z stand for options that have a long name alone; they take one.
func (s syntaxOf) takesValue(letter rune) bool {
	return letter > 'z' || strings.Contains(s.letters, string(letter)+":")
}

func (s syntaxOf) unknown(option string) error {
	var has []string
	for _, letter := range s.letters {
		if letter != ':' {
			has = append(has, "-"+string(letter))
		}
	}
	for name := range s.long {
		has = append(has, "--"+name)
	}
	slices.Sort(has)
	return fmt.Errorf("the option %s is not available here; there are %s", option, strings.Join(has, " "))
}

func isNumber(text string) bool {
	_, err := strconv.ParseUint(text, 10, 31)
	return err == nil
}

// has says whether an option was given.
func (o options) has(letter rune) bool { return len(o.values[letter]) > 0 }

// last is the value that counts where one option was given several times.
func (o options) last(letter rune) string {
	all := o.values[letter]
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// number is the value of an option as a whole number of 0 or more.
func (o options) number(letter rune, otherwise int) (int, error) {
	if !o.has(letter) {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(o.last(letter), 10, 31)
	if err != nil {
		return 0, fmt.Errorf("the option -%c wants a whole number, not %q", letter, o.last(letter))
	}
	return int(n), nil
}
