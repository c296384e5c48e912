package store

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
)

// The layout of a bbolt file, in the byte order of the machine that wrote it
// (bbolt, internal/common/page.go and meta.go).
const (
	pageHeader  = 16 // id, flags, count, overflow
	elementSize = 16 // of a branch or leaf page
	bucketSize  = 16 // root, sequence

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketFlag = 0x01 // of a leaf element

	boltMagic   = 0xED0CDAED
	boltVersion = 2
	metaSize    = 64
	noFreelist  = ^uint64(0)
	manyFree    = 0xFFFF // as a freelist's count: the first number is the count
)

// meta is what a bbolt file says of itself.
type meta struct {
	pageSize             uint32
	root, freelist, high uint64 // high: pages in use, free ones included
	txid                 uint64
}

// parseMeta reads a meta page; ok is false if it is not whole.
func parseMeta(page []byte) (m meta, ok bool) {
	order := binary.NativeEndian
	if len(page) < pageHeader+metaSize {
		return m, false
	}
	b := page[pageHeader:]
	sum := fnv.New64a()
	sum.Write(b[:56])
	if order.Uint32(b) != boltMagic || order.Uint32(b[4:]) != boltVersion || order.Uint64(b[56:]) != sum.Sum64() {
		return m, false
	}
	return meta{
		pageSize: order.Uint32(b[8:]), root: order.Uint64(b[16:]), freelist: order.Uint64(b[32:]),
		high: order.Uint64(b[40:]), txid: order.Uint64(b[48:]),
	}, true
}

// scan walks the pages of a bbolt file without mapping it into memory, and
// finds whatever would lead bbolt out of a page or out of the file: that is a
// fault, which no caller of bbolt's own check could catch.
type scan struct {
	file  io.ReaderAt
	meta  meta
	seen  []bool // by page
	found []error
}

// scanPages returns what is wrong with the pages of a file, and whether bbolt
// may read it all the same. With only the free ones, it looks no further than
// the list of free pages, which bbolt reads when it opens a file.
func scanPages(file io.ReaderAt, size int64, pageSize int, onlyFree bool) (found []error, usable bool) {
	s := scan{file: file}
	for i := range int64(2) {
		page := make([]byte, pageHeader+metaSize)
		if _, err := file.ReadAt(page, i*int64(pageSize)); err != nil {
			return []error{fmt.Errorf("page %d: %w", i, err)}, false
		}
		m, ok := parseMeta(page)
		if !ok || int(m.pageSize) != pageSize {
			s.add(uint64(i), "this copy of the file's head is damaged; the other one is in use until this one is written anew")
		} else if m.txid >= s.meta.txid {
			s.meta = m
		}
	}
	if int64(s.meta.high) > size/int64(pageSize) || s.meta.high < 3 {
		s.add(0, "the file should have %d pages, but is %d bytes long", s.meta.high, size)
		return s.found, false
	}
	heads := len(s.found) // One of them is what a loss of power can leave.
	s.seen = make([]bool, s.meta.high)
	s.freelist()
	if !onlyFree {
		s.tree(s.meta.root)
	}
	return s.found, len(s.found) == heads
}

func (s *scan) add(page uint64, format string, args ...any) {
	s.found = append(s.found, fmt.Errorf("page %d: %s", page, fmt.Sprintf(format, args...)))
}

// page reads the page id with all that it overflows to.
func (s *scan) page(id uint64, what string) []byte {
	order := binary.NativeEndian
	if id < 2 || id >= s.meta.high {
		s.add(id, "there is no such page, but %s should be there", what)
		return nil
	}
	head := make([]byte, pageHeader)
	if _, err := s.file.ReadAt(head, int64(id)*int64(s.meta.pageSize)); err != nil {
		s.add(id, "cannot be read: %v", err)
		return nil
	}
	overflow := uint64(order.Uint32(head[12:]))
	if own := order.Uint64(head); own != id {
		s.add(id, "it says it is page %d", own)
		return nil
	}
	if id+overflow >= s.meta.high {
		s.add(id, "it goes on behind the end of the file")
		return nil
	}
	for i := id; i <= id+overflow; i++ {
		if s.seen[i] {
			s.add(i, "it is used twice")
			return nil
		}
		s.seen[i] = true
	}
	page := make([]byte, (overflow+1)*uint64(s.meta.pageSize))
	if _, err := s.file.ReadAt(page, int64(id)*int64(s.meta.pageSize)); err != nil {
		s.add(id, "cannot be read: %v", err)
		return nil
	}
	return page
}

// freelist checks the list of free pages.
func (s *scan) freelist() {
	order := binary.NativeEndian
	id := s.meta.freelist
	if id == noFreelist {
		return
	}
	page := s.page(id, "the list of free pages")
	if page == nil {
		return
	}
	if flags := order.Uint16(page[8:]); flags != freelistPage {
		s.add(id, "it should be the list of free pages")
		return
	}
	count, list := uint64(order.Uint16(page[10:])), page[pageHeader:]
	if count == manyFree {
		count, list = order.Uint64(list), list[8:]
	}
	if count > uint64(len(list)/8) {
		s.add(id, "a list of %d free pages has no room there", count)
		return
	}
	last := uint64(1)
	for i := range count {
		free := order.Uint64(list[i*8:])
		if free <= last || free >= s.meta.high {
			s.add(id, "its entry %d is out of order", i)
			return
		}
		last = free
	}
}

// tree checks the page at id and all pages below it.
func (s *scan) tree(id uint64) {
	page := s.page(id, "a part of a bucket")
	if page == nil {
		return
	}
	order := binary.NativeEndian
	switch order.Uint16(page[8:]) {
	case branchPage:
		s.branch(id, page)
	case leafPage:
		s.leaf(id, page)
	default:
		s.add(id, "it holds no part of a bucket, but should")
	}
}

func (s *scan) branch(id uint64, page []byte) {
	order := binary.NativeEndian
	count := int(order.Uint16(page[10:]))
	if count == 0 || pageHeader+count*elementSize > len(page) {
		s.add(id, "%d entries cannot be", count)
		return
	}
	for i := range count {
		at := pageHeader + i*elementSize
		e := page[at:]
		if pos, key := order.Uint32(e), order.Uint32(e[4:]); uint64(at)+uint64(pos)+uint64(key) > uint64(len(page)) {
			s.add(id, "entry %d leads out of the page", i)
			continue
		}
		s.tree(order.Uint64(e[8:]))
	}
}

// leaf checks a leaf page, which may be one inside another.
func (s *scan) leaf(id uint64, page []byte) {
	order := binary.NativeEndian
	count := int(order.Uint16(page[10:]))
	if pageHeader+count*elementSize > len(page) {
		s.add(id, "%d entries cannot be", count)
		return
	}
	for i := range count {
		at := pageHeader + i*elementSize
		e := page[at:]
		flags, pos := order.Uint32(e), uint64(at)+uint64(order.Uint32(e[4:]))
		key, value := uint64(order.Uint32(e[8:])), uint64(order.Uint32(e[12:]))
		if pos+key+value > uint64(len(page)) {
			s.add(id, "entry %d leads out of the page", i)
			continue
		}
		if flags&bucketFlag != 0 {
			s.bucket(id, page[pos+key:pos+key+value])
		}
	}
}

// bucket checks a bucket by its head, behind which a small one lies itself.
func (s *scan) bucket(id uint64, head []byte) {
	order := binary.NativeEndian
	if len(head) < bucketSize {
		s.add(id, "a bucket's head is cut short")
		return
	}
	if root := order.Uint64(head); root != 0 {
		s.tree(root)
		return
	}
	inline := head[bucketSize:]
	if len(inline) < pageHeader || order.Uint16(inline[8:]) != leafPage {
		s.add(id, "a bucket within it is damaged")
		return
	}
	s.leaf(id, inline)
}
