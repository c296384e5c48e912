package config

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"pbem/clock"
)

// assign stores a TOML value in the setting that target points to. The error says what the
// value is and what belongs there; it never holds a [Secret].
func assign(target, value any) error {
	switch t := target.(type) {
	case *bool:
		v, ok := value.(bool)
		if !ok {
			return wrongType(value, "true or false")
		}
		*t = v
		return nil
	case *int:
		v, ok := value.(int64)
		if !ok {
			return wrongType(value, "a whole number")
		}
		*t = int(min(max(v, math.MinInt32), math.MaxInt32))
		return nil
	case *[]string:
		return assignList(t, value)
	case *Size:
		if v, ok := value.(int64); ok {
			*t = Size(v)
			return nil
		}
	}
	text, ok := value.(string)
	if !ok {
		want := "text in quotes"
		switch target.(type) {
		case *time.Duration:
			want = "a duration in quotes"
		case *Size:
			want = "a size in quotes"
		}
		return wrongType(value, want)
	}
	return assignText(target, text)
}

func assignText(target any, text string) (err error) {
	switch t := target.(type) {
	case *string:
		*t = text
	case *Secret:
		*t = NewSecret(text)
	case *time.Duration:
		*t, err = parseDuration(text)
	case *Size:
		*t, err = ParseSize(text)
	case *slog.Level:
		*t, err = parseLevel(text)
	case *Security:
		*t, err = parseChoice(text, TLS, STARTTLS, None)
	case *clock.Control:
		*t, err = clock.Parse(text)
	case *Policy:
		*t, err = parseChoice(text, PolicySafe)
	default:
		panic(fmt.Sprintf("config: no way to read a %T", target))
	}
	return err
}

func assignList(target *[]string, value any) error {
	items, ok := value.([]any)
	list := make([]string, 0, len(items))
	for _, item := range items {
		text, isText := item.(string)
		ok = ok && isText
		list = append(list, text)
	}
	if !ok {
		return wrongType(value, "a list of texts in quotes")
	}
	*target = list
	return nil
}

// typeError is a value of the wrong kind.
type typeError struct{ got, want string }

func (e *typeError) Error() string { return "this is " + e.got + "; write " + e.want }

func wrongType(value any, want string) error {
	got := "something else"
	switch value.(type) {
	case string:
		got = "text"
	case bool:
		got = "true or false"
	case int64:
		got = "a number"
	case float64:
		got = "a fraction"
	case time.Time:
		got = "a date"
	case []any:
		got = "a list"
	case map[string]any, []map[string]any:
		got = "a section"
	}
	return &typeError{got, want}
}

// withExample adds to the error of a wrong type how the example writes the setting.
func withExample(err error, s setting) string {
	var wrong *typeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%v, like %s = %s", err, s.name, shownInExample(s))
	}
	return err.Error()
}
