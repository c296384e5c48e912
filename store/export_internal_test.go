package store

// PageBytes returns how many bytes of pages all transactions so far have
// called for.
func (s *Store) PageBytes() int64 {
	stats := s.db.Stats()
	return stats.TxStats.GetPageAlloc()
}
