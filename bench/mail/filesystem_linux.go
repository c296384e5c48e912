package main

import (
	"fmt"
	"syscall"
)

// fileSystem names what dir lies on: in memory, fsync would cost nothing.
func fileSystem(dir string) string {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return "unknown"
	}
	switch uint32(s.Type) {
	case 0xef53:
		return "ext4"
	case 0x01021994:
		return "tmpfs: in memory, so fsync costs nothing"
	case 0x9123683e:
		return "btrfs"
	case 0x58465342:
		return "xfs"
	case 0x794c7630:
		return "overlayfs"
	}
	return fmt.Sprintf("file system %#x", uint32(s.Type))
}
